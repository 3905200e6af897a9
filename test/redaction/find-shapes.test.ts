import { describe, expect, test } from 'vitest'
import { findShapes, findShapesInJson } from '../../src/redaction/find-shapes.ts'
import { secretShapes } from '../../src/redaction/secret-shapes.ts'
import { sampleOf } from './secret-samples.ts'

const rows = secretShapes.flatMap((shape) =>
  shape.starts.map((start) => ({ ...shape, start, secret: (shape.sampleLead ?? '') + start + shape.sample })),
)

describe('promise 7: shapes of known keys', () => {
  test.each(rows)('finds $kind that begins with $start', ({ kind, start, secret, keeps }) => {
    const from = keeps === 'start' ? start.length : 0
    expect(findShapes(secret)).toEqual([{ start: from, end: secret.length, kind, secret: secret.slice(from) }])
  })

  test.each([
    ['in XML', (secret: string) => `<key>${secret}</key>`],
    ['after an assignment', (secret: string) => `OPENAI_API_KEY=${secret}\nNEXT=1`],
    ['after an escaped line feed in JSON', (secret: string) => `{"text":"keys:\\n${secret}\\nend"}`],
    [
      'after an escaped line feed in JSON in a string',
      (secret: string) => `"{\\"text\\":\\"keys:\\\\n${secret}\\\\n\\"}"`,
    ],
    ['after a unicode escape', (secret: string) => `"\\u003d${secret}"`],
    ['after a percent escape', (secret: string) => `k%3D${secret}&x=1`],
    ['after a letter of a script without blanks', (secret: string) => `鍵は${secret}です`],
    ['before a full stop', (secret: string) => `The key is ${secret}. Keep it.`],
  ])('finds a key %s', (_, write) => {
    for (const kind of ['openai-key', 'github-token', 'aws-access-key-id', 'google-key']) {
      expect(findShapes(write(sampleOf(kind)))).toMatchObject([{ kind, secret: sampleOf(kind) }])
    }
  })

  test('finds none after a letter that has but its lower byte in common with a beginning', () => {
    const secret = sampleOf('openai-key')
    const other = String.fromCharCode(secret.charCodeAt(0) + 0x100) + secret.slice(1)
    expect(findShapes(secret)).toHaveLength(1)
    expect(findShapes(other)).toEqual([])
  })

  test('ends a private key before the quote of its JSON string, with or without its last line', () => {
    const whole = sampleOf('private-key')
    const cut = whole.slice(0, whole.indexOf('-----END'))
    for (const key of [whole, cut]) {
      const text = JSON.stringify({ pem: key, quoted: `"${key}"`, next: 1 })
      const spans = findShapes(text)
      expect(spans).toHaveLength(2)
      const rest = spans.reduceRight((left, { start, end }) => left.slice(0, start) + left.slice(end), text)
      expect(JSON.parse(rest)).toEqual({
        pem: expect.stringMatching(/^\n?$/),
        quoted: expect.stringMatching(/^"\n?"$/),
        next: 1,
      })
    }
  })

  test.each([
    'call_aZ4b1c9d0E5f6G7h8I9j0K1l',
    'toolu_01A09q90qw90lq917835lq9',
    'msg_01XFDUDYJgAACzvnptvVoYEL',
    'resp_67ccd2bed1ec8190b14f964abc0542670bb6a6b452d3795b',
    'chatcmpl-B9MBs8CjcvOU2jLn4n570S5qMJKcT',
    'req_011CSHoEeqs5C35K2UUqR7Fy',
    'fc_12345xyz0123456789abcdef0123456789',
    'rs_6820f383d7c08191846711c5df8233bc0ac5ba57aafcbac7',
    'file-6F2ksmvXxt4VdoqmHRw6kL',
    'fp_44709d6fcb',
    '9b1deb4d-3b7d-4bad-9bdd-2b0d7b3dcb6d',
    'da39a3ee5e6b4b0d3255bfef95601890afd80709',
    'sk-learn-is-a-misspelt-package-name',
    'a task-1-with-a-very-long-identifier-2024',
    'Bearer authentication is described in RFC 6750',
    'Authorization: Bearer <token>',
    'the ASIA region, AKIA and others',
    'npm_config_registry and npm_lifecycle_event',
    '-----BEGIN PRIVATE KEY----- is how such a file starts',
    'SKU 12, ASK for it, TASK-2024',
    'key-value and key-1, re_search_2024, pa-1, fc-2, fw_3',
    'at 12:AA and 1029384756:AAA',
    'a Q~ b, x~1Q~y',
    'https://hooks.slack.com/services/',
  ])('leaves %s alone', (text) => {
    expect(findShapes(text)).toEqual([])
  })

  test('finds a key that is a segment of a path', () => {
    for (const kind of ['aws-access-key-id', 'google-key', 'jwt']) {
      expect(findShapes(`https://x.test/v1/${sampleOf(kind)}`)).toMatchObject([{ kind, secret: sampleOf(kind) }])
    }
  })

  test('finds a key some letters of which a JSON writer escapes, whole', () => {
    const key =
      sampleOf('bedrock-key')
        .slice(0, 60)
        .replace(/^(.{20})/, '$1+/') + 'Zq7R'.repeat(20)
    const text = JSON.stringify({ a: key, b: 1 }).replaceAll('+', '\\u002B').replaceAll('/', '\\/')
    const [span] = findShapesInJson(text)
    expect(findShapes(text)).toEqual([])
    expect(text.slice(0, span?.start) + text.slice(span?.end)).toBe('{"a":"","b":1}')
  })

  test('leaves base64 alone, whatever letters stand in it', () => {
    const key = sampleOf('aws-access-key-id')
    expect(findShapes(`data:image/png;base64,iVBORw0KGgo/${key}+${sampleOf('google-key')}`)).toEqual([])
  })

  test('gets through 8 MiB of one token, and of nothing but beginnings', { timeout: 60_000 }, () => {
    const letters = 8 * 1024 * 1024
    expect(findShapes(`sk-1${'a'.repeat(letters)}`)).toHaveLength(1)
    for (const beginning of ['eyJa.', 'sk-', '-----BEGIN PRIVATE KEY-----\n', 'Bearer ']) {
      expect(findShapes(beginning.repeat(letters / 8 / beginning.length))).toEqual([])
    }
  })
})
