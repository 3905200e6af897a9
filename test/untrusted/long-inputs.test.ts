/** Inputs of one thing over and over: each of these once took time with the square of its length, and would not end here. */
import { expect, test } from 'vitest'
import { mediaText } from '../../src/cli/show/outline-media.ts'
import { wireOfPath } from '../../src/wire/choose-wire.ts'
import { decodeAnswer } from '../../src/wire/decode-answer.ts'
import { urlOf } from '../wire/stream-of.ts'

test.each(['openai-chat', 'openai-responses', 'anthropic-messages', 'gemini'] as const)(
  'an answer of 400,000 events that %s does not know is read',
  (wire) => {
    const answer = decodeAnswer({ url: urlOf(wire), body: { json: Array.from({ length: 400_000 }, () => 0) } })
    expect(answer?.blocks.length).toBe(400_000)
  },
)

test('a path of a million slashes has no wire', () => {
  expect(wireOfPath(`https://a.test/${'/'.repeat(1_000_000)}x`)).toBe(undefined)
})

test('a data URL without an end is shown as a URL', () => {
  const url = `data:${';a'.repeat(500_000)}`
  expect(mediaText({ type: 'image_url', image_url: { url } })?.length).toBeGreaterThan(url.length)
})
