import fc from 'fast-check'
import { expect, test } from 'vitest'
import { findLoss, type JsonLoss } from '../../src/core/cassette/exact-json.ts'
import { mayHaveLost } from '../../src/core/cassette/may-have-lost.ts'
import { writeCassette } from '../../src/core/cassette/write-cassette.ts'
import { toolLoop } from './tool-loop.ts'

const losses: ReadonlySet<JsonLoss['kind']> = new Set(['duplicate name', 'inexact number'])

function quickLook(text: string): boolean {
  return mayHaveLost(Buffer.from(text), JSON.parse(text))
}

const long = 'x'.repeat(70)
const name = fc.constantFrom('a', 'b', '', ':', 'a\\', '"', `${long}\\`, '鍵', 'a ')
const leaf = fc.constantFrom(
  ...['1', '-0', '0.5', '1e2', '12345678901234567', '0.10000000000000001', '1.0', '-1.5', 'true', 'null', '""'],
  ...['"a"', '":"', '"\\":1e9"', '"-0"', `"${long}"`, `"${long}\\\\"`, `"${long}\\"\\\\\\":"`, '"12345678901234567"'],
)
/** Texts with names that come twice, and numbers of every spelling, among strings that look like both. */
const anyText = fc.letrec<{ value: string }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3 },
    { weight: 3, arbitrary: leaf },
    { weight: 1, arbitrary: fc.array(tie('value'), { maxLength: 4 }).map((all) => `[${all.join(', ')}]`) },
    {
      weight: 2,
      arbitrary: fc
        .array(fc.tuple(name, tie('value')), { maxLength: 4 })
        .map((all) => `{${all.map(([key, value]) => `${JSON.stringify(key)} :\n${value}`).join(',')}}`),
    },
  ),
})).value

test('F19 law: what the quick look lets pass has lost nothing, and what is written by us passes', () => {
  let passed = 0
  let lost = 0
  fc.assert(
    fc.property(anyText, (text) => {
      const loss = findLoss(text, losses)
      if (loss !== undefined) lost += 1
      if (quickLook(text)) return
      passed += 1
      expect(loss, text).toBeUndefined()
    }),
    { numRuns: 3000 },
  )
  expect(passed).toBeGreaterThan(300)
  expect(lost).toBeGreaterThan(300)
  const { cassette } = toolLoop({ turns: 4, callCharacters: 90, resultCharacters: 90, answers: 'stream' })
  expect(quickLook(writeCassette(cassette))).toBe(false)
})
