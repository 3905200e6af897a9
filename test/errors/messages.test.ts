import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { ErrorCode, ErrorDetails } from '../../src/errors/codes.ts'
import { maxMessageLines } from '../../src/errors/messages/compose-message.ts'
import { messages } from '../../src/errors/messages.ts'
import { ReplayError } from '../../src/errors/replay-error.ts'
import { messageCases } from './message-cases.ts'

const cases = Object.entries(messageCases).flatMap(([code, states]) =>
  Object.entries(states).map(([state, details]) => ({ code: code as ErrorCode, state, details })),
)

const shownLine = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]/u

function messageOf(code: ErrorCode, details: unknown): string {
  return new ReplayError(code, details as ErrorDetails[ErrorCode]).message
}

/** The same details with every text replaced, except where it selects a state. */
function withTexts(value: unknown, replace: (text: string) => string): unknown {
  if (typeof value === 'string') return replace(value)
  if (Array.isArray(value)) return value.map((item) => withTexts(item, replace))
  if (typeof value !== 'object' || value === null) return value
  const selecting = ['kind', 'layer', 'change', 'state', 'what', 'cap', 'when', 'end', 'source', 'mode']
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [
      name,
      selecting.includes(name) ? member : withTexts(member, replace),
    ]),
  )
}

describe('the registry', () => {
  test('has a message and a case for every code', () => {
    expect(Object.keys(messageCases).sort()).toEqual(Object.keys(messages).sort())
  })

  test.each(cases)('says $code, $state', ({ code, details }) => {
    expect(messageOf(code, details)).toMatchSnapshot()
  })
})

describe('every message', () => {
  test.each(cases)('keeps to its bounds: $code, $state', ({ code, details }) => {
    const lines = messageOf(code, details).split('\n')
    expect(lines.length).toBeLessThanOrEqual(maxMessageLines)
    expect(lines[0]).toMatch(new RegExp(`^[A-Z0-9].{10,130} \\[${code}\\]$`, 'i'))
    for (const line of lines) {
      expect(line).not.toMatch(shownLine)
      expect(line).toBe(line.trimEnd())
      expect(line.length).toBeLessThanOrEqual(200)
    }
  })

  test.each(cases)('bounds and escapes hostile texts of 5 MB: $code, $state', ({ code, details }) => {
    const hostile = `${'\u001b[2J\r\n\u202e\ud800"$(x)`\\'.repeat(4)}${'x\n'.repeat(2_500_000)}`
    const lines = messageOf(
      code,
      withTexts(details, () => hostile),
    ).split('\n')
    expect(lines.length).toBeLessThanOrEqual(maxMessageLines)
    for (const line of lines) {
      expect(line).not.toMatch(shownLine)
      expect(line.length).toBeLessThanOrEqual(700)
    }
  })

  test('is made for details of any text', () => {
    fc.assert(
      fc.property(fc.constantFrom(...cases), fc.string({ unit: 'binary' }), ({ code, details }, text) => {
        const lines = messageOf(
          code,
          withTexts(details, () => text),
        ).split('\n')
        expect(lines.length).toBeLessThanOrEqual(maxMessageLines)
        expect(lines.every((line) => !shownLine.test(line))).toBe(true)
      }),
      { numRuns: 200 },
    )
  })

  test('makes its first line the short message', () => {
    const error = new ReplayError('TURNTAPE_MISSING_KEY', {
      variable: 'OPENAI_API_KEY',
      request: 'POST https://api.openai.com',
    })
    expect(error.shortMessage).toBe('OPENAI_API_KEY is not set; recording needs it [TURNTAPE_MISSING_KEY]')
  })
})
