import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { messages } from '../../src/errors/messages.ts'
import { ReplayError } from '../../src/errors/replay-error.ts'
import { repository } from '../projects/package.ts'
import { messageCases } from './message-cases.ts'

const table = readFileSync(join(repository, 'docs/errors.md'), 'utf8').split('\n## ')[1]?.split('\n') ?? []
const shown = table.flatMap((line) => /^\| (.*) \[(TURNTAPE_\w+)\] \|$/.exec(line)?.slice(1) ?? [])

test('the first lines that a log can be searched for are in the docs, one for each code', () => {
  const codes = shown.filter((_, at) => at % 2 === 1)
  expect(codes.sort()).toEqual(Object.keys(messages).sort())
})

/**
 * Kept by hand, never written by a tool: a line that is another here breaks the searches of those who have it in a script. A
 * new code brings a new line.
 */
const frozen = readFileSync(join(repository, 'test/errors/frozen-first-lines.txt'), 'utf8').trim().split('\n')

test('a first line changes with a major version only', () => {
  const present = shown.flatMap((line, at) => (at % 2 === 0 ? [`${shown[at + 1]}  ${line}`] : []))
  expect(present.sort()).toEqual([...frozen].sort())
})

test.each(
  Object.entries(messageCases).flatMap(([code, states]) =>
    Object.entries(states).map(([state, details]) => ({ code: code as keyof typeof messageCases, state, details })),
  ),
)('the first line ends with the code and stands alone: $code, $state', ({ code, details }) => {
  const error = new ReplayError(code, details as never)
  expect(error.message.split('\n', 1)[0]).toBe(error.shortMessage)
  expect(error.shortMessage.endsWith(` [${code}]`)).toBe(true)
  expect(error.message.split(`[${code}]`)).toHaveLength(2)
})
