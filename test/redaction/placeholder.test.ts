import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { placeholderIn } from '../../src/redaction/placeholder.ts'
import { secretShapes } from '../../src/redaction/secret-shapes.ts'
import { bodyOf, joinedText, openaiKey, redactorOf, requestOf } from './secret-samples.ts'

describe('F15: placeholders', () => {
  test('AS-08 keep two secrets apart and one secret together, numbered by first appearance', () => {
    const redactor = redactorOf()
    const [a, b, c] = [openaiKey(1), openaiKey(2), openaiKey(3)]
    expect(redactor.text(`${b} ${a} ${b}`)).toBe(
      '<redacted:openai-key:1> <redacted:openai-key:2> <redacted:openai-key:1>',
    )
    expect(redactor.json({ a, c })).toEqual({ a: '<redacted:openai-key:2>', c: '<redacted:openai-key:3>' })
  })

  test('stay with a secret that turns up in another place', () => {
    const redactor = redactorOf()
    redactor.request(requestOf({ url: `https://x.test/?key=${openaiKey(1)}` }))
    expect(redactor.text(openaiKey(1))).toBe('<redacted:key:1>')
  })

  test('number in replay as while recording: what a served answer holds is taken', () => {
    const [sent, answered, later] = [openaiKey(1), openaiKey(2), openaiKey(3)]
    const recording = redactorOf()
    recording.text(sent)
    const answer = joinedText(recording.responseBody(bodyOf([`{"text":"${answered}"}`]), 'application/json'))
    const recorded = recording.text(`${answered} ${later}`)

    const replaying = redactorOf()
    replaying.text(sent)
    replaying.reserve(answer)
    expect(replaying.text(`<redacted:openai-key:2> ${later}`)).toBe(recorded)
  })

  test('number in replay as while recording when a later request went out before the answer came', () => {
    const [first, second, answered] = [openaiKey(1), openaiKey(2), openaiKey(3)]
    const recording = redactorOf()
    const requests = [recording.text(first), recording.text(second)]
    const answer = recording.text(answered)

    const replaying = redactorOf()
    const replayed = [replaying.text(first)]
    replaying.reserve(answer)
    replayed.push(replaying.text(second))
    expect(replayed).toEqual(requests)
  })

  test('number a hundred thousand secrets of one kind', { timeout: 60_000 }, () => {
    const members = Array.from({ length: 100_000 }, (_, index) => `"api_key":"v${index}"`)
    expect(redactorOf().text(members.join(',')).endsWith('"api_key":"<redacted:api-key:100000>"')).toBe(true)
  })

  test.each([
    ['<redacted:openai-key:1>', 'a <redacted:openai-key:1> b'],
    ['%3Credacted:key:12%3E', '?key=%3Credacted:key:12%3E'],
    ['\\u003credacted:jwt:1\\u003e', '"\\u003credacted:jwt:1\\u003e"'],
  ])('placeholderIn finds %s', (placeholder, text) => {
    expect(placeholderIn(text)).toBe(placeholder)
  })

  test.each(['<redacted>', '<redacted:Key:>', '<project>/a', '<tmp>', '<redacted:key:0>'])(
    'placeholderIn finds none in %s',
    (text) => {
      expect(placeholderIn(text)).toBeUndefined()
    },
  )

  const fragments = [
    ...secretShapes.map(({ starts, sample, sampleLead = '' }) => sampleLead + starts[0] + sample),
    ...secretShapes.map(({ starts }) => starts[0] as string),
    '/home/alice/shop',
    '/home/alice',
    '/tmp',
    '/',
    '\\',
    '\\n',
    '\\/',
    '"',
    ' ',
    '\n',
    '=',
    '&',
    '?',
    'a',
    '7',
    '>',
    '<',
    ':',
    '-',
    '.',
    '"api_key":"',
    '"password": "hunter2"',
    '\\"secret\\":\\"',
    '?sig=abc',
    'https://a:pw@x',
    '<redacted:openai-key:1>',
    '<redacted:password:2>',
    '<tmp>',
  ]

  test('redacting twice changes nothing, whatever stands side by side', { timeout: 60_000 }, () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...fragments), { maxLength: 12 }), (parts) => {
        const redactor = redactorOf({ keys: ['note'], patterns: [/7+a/] })
        const once = redactor.text(parts.join(''))
        expect(redactor.text(once)).toBe(once)
        expect(redactorOf({ keys: ['note'], patterns: [/7+a/] }).text(once)).toBe(once)
      }),
      { numRuns: 1000 },
    )
  })

  test('a JSON text stays JSON, with the same members', { timeout: 60_000 }, () => {
    const text = fc.array(fc.constantFrom(...fragments), { maxLength: 6 }).map((parts) => parts.join(''))
    const name = fc.constantFrom('a', 'api_key', 'text', '/home/alice/x')
    const shape = (value: unknown): unknown =>
      typeof value === 'string'
        ? 'string'
        : Array.isArray(value)
          ? value.map(shape)
          : Object.values(value as object).map(shape)
    fc.assert(
      fc.property(
        fc.array(fc.dictionary(name, fc.oneof(text, fc.array(text, { maxLength: 2 })), { maxKeys: 3 }), {
          maxLength: 3,
        }),
        (value) => {
          const nested = { value, inner: JSON.stringify(value) }
          const greedy = redactorOf({ patterns: [/7.*/s, /a".*/s] }).json(nested)
          expect(shape(greedy)).toEqual(shape(nested))
          const redacted = redactorOf().json(nested) as unknown as typeof nested
          expect(shape(JSON.parse(redacted.inner))).toEqual(shape(value))
        },
      ),
      { numRuns: 300 },
    )
  })
})
