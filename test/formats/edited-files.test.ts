import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { defaultCaps } from '../../src/core/cassette/caps.ts'
import { type Cassette, type HttpInteraction, isHttpInteraction } from '../../src/core/cassette/document.ts'
import { parseCassette } from '../../src/core/cassette/parse-cassette.ts'
import { readFormatBytes } from './format-files.ts'
import { answerTo, replaySession } from './replay-session.ts'

const text = readFormatBytes('v1/valid/conversation.json').toString('utf8')
const whole = parseCassette(text, { cassette: 'a.json', caps: defaultCaps })
const [first, call, second] = whole.interactions

/** The conversation replayed from an edited file: what it fails with, after so many interactions of it. */
async function failureOf(edited: string, count: number): Promise<string | undefined> {
  const root = mkdtempSync(join(tmpdir(), 'edited-'))
  onTestFinished(() => rmSync(root, { recursive: true, force: true }))
  writeFileSync(join(root, 'a.json'), edited)
  const session = replaySession({ root, path: 'a.json' })
  for (const interaction of whole.interactions.slice(0, count)) {
    if (isHttpInteraction(interaction)) await answerTo(session, interaction.request.url, bodyOf(interaction))
    else {
      const { name, input } = interaction.request
      const live = () => expect.fail('it must not run')
      try {
        session.value({ kind: 'tool', name, input, callId: 'call_1', lane: undefined, live })
      } catch {
        // The session keeps its failure.
      }
    }
  }
  return session.failure?.message
}

function bodyOf({ request: { body } }: HttpInteraction): unknown {
  return body !== undefined && 'json' in body ? body.json : undefined
}

function edit(from: string, to: string): string {
  expect(text).toContain(from)
  return text.replace(from, to)
}

test('F13 a file that nobody edited replays', async () => {
  expect(await failureOf(text, 3)).toBeUndefined()
  expect([first, call, second].map((one) => (one as Cassette['interactions'][number]).number)).toEqual([1, 2, 3])
})

test('F13 an edit of a request is named when it is compared, by whatever it is stored', async () => {
  expect(await failureOf(edit('"temperature": 0.2', '"temperature": 0.7'), 1)).toMatchInlineSnapshot()
})

test('F11 F13 so is an edit of what a request adds to the one before', async () => {
  expect(await failureOf(edit('"tool_call_id": "call_1"', '"tool_call_id": "call_9"'), 3)).toMatchInlineSnapshot()
})

test('F13 so is an edit of what a tool was called with', async () => {
  expect(
    await failureOf(edit('{ "from": "BER", "to": "OSL" }', '{ "from": "BER", "to": "CDG" }'), 2),
  ).toMatchInlineSnapshot()
})

test('F19 a file that cannot be read says how its test is recorded again', async () => {
  expect(await failureOf(text.slice(0, 900), 1)).toMatchInlineSnapshot()
  expect(await failureOf('', 1)).toMatchInlineSnapshot()
})
