import { expect, test } from 'vitest'
import { rememberTexts } from '../../src/redaction/remembered-texts.ts'
import { openaiKey, redactorOf, requestOf } from './secret-samples.ts'

test('a short text is rewritten once, a long one each time, and no more than a hundred are kept', () => {
  const seen: string[] = []
  const rewrite = rememberTexts((text) => {
    seen.push(text)
    return text.toUpperCase()
  })
  const long = 'a'.repeat(501)
  expect(['v1', 'v1', long, long, ''].map(rewrite)).toEqual(['V1', 'V1', long.toUpperCase(), long.toUpperCase(), ''])
  expect(seen).toEqual(['v1', long, long, ''])
  for (let number = 0; number < 100; number += 1) rewrite(String(number))
  seen.length = 0
  expect([rewrite('99'), rewrite('v1')]).toEqual(['99', 'V1'])
  expect(seen).toEqual(['v1'])
})

test('F15 a URL that comes again has the placeholder it had, and another secret has another one', () => {
  const redactor = redactorOf()
  const url = (number: number): string => `https://a.test/v1?key=${openaiKey(number)}`
  const redacted = [1, 2, 1].map((number) => redactor.request(requestOf({ url: url(number) })).url)
  expect(redacted[0]).toBe(redacted[2])
  expect(redacted[0]).toContain('<redacted:')
  expect(redacted[1]).not.toBe(redacted[0])
})
