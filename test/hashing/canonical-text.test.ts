import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { canonicalText } from '../../src/core/hashing/canonical-text.ts'

function canonical(text: string): string {
  const result = canonicalText(text)
  return result.kind === 'json' ? result.canonical : `text: ${result.reason}`
}

describe('canonicalText, F13', () => {
  it.each([
    ['', 'text: not json'],
    ['hello', 'text: not json'],
    ['{"a":1,}', 'text: not json'],
    ['"a\tb"', 'text: not json'],
    ['\ufeff{}', 'text: not json'],
    ['{"a":1}\n{"a":2}', 'text: not json'],
    ['{"a":1,"a":1}', 'text: duplicate name'],
    ['{"x":[{"a":1,"\\u0061":2}]}', 'text: duplicate name'],
    ['{"__proto__":1,"__proto__":2}', 'text: duplicate name'],
    ['"\\ud800"', 'text: lone surrogate'],
    ['{"\\udead": 1}', 'text: lone surrogate'],
    ['["\\uDEAD\\uD800"]', 'text: lone surrogate'],
    ['{"a":{"a":1},"b":{"a":1}}', '{"a":{"a":1},"b":{"a":1}}'],
    ['["\\ud83d\\ude00"]', '["😀"]'],
    ['"\\\\ud800"', '"\\\\ud800"'],
    [' { "b" : 1.50 , "a" : [ ] } \n', '{"a":[],"b":1.5}'],
    ['{"__proto__": {"b":1, "a":2}}', '{"__proto__":{"a":2,"b":1}}'],
    ['null', 'null'],
    ['"text"', '"text"'],
  ])('%j is %s', (text, expected) => {
    expect(canonical(text)).toBe(expected)
  })

  it.each([
    ['9007199254740993', '9007199254740993e0'],
    ['9007199254740992', '9007199254740992'],
    ['-90071992547409930.00', '-9007199254740993e1'],
    ['333333333.33333329', '33333333333333329e-8'],
    ['0.1', '0.1'],
    ['1e-1', '0.1'],
    ['0.10000000000000000000', '0.1'],
    ['0.1000000000000000055511151231257827', '1000000000000000055511151231257827e-34'],
    ['1E400', '1e400'],
    ['-1e-400', '-1e-400'],
    ['0e999999999999999999999', '0'],
    ['100e18446744073709551616', '1e18446744073709551618'],
    ['5e-324', '5e-324'],
    ['4.9e-324', '49e-325'],
    ['1e21', '1e+21'],
    ['-0.000000000000000000', '0'],
  ])('reads the number %s as %s', (number, expected) => {
    expect(canonical(number)).toBe(expected)
    expect(canonical(`[ "x", {"n":${number}}]`)).toBe(`["x",{"n":${expected}}]`)
  })

  it('never takes a string or a member for a number that no double holds', () => {
    const forms = [
      '9007199254740993',
      '"9007199254740993"',
      '"9007199254740993e0"',
      '9007199254740992',
      '9007199254740994',
    ]
    expect(new Set(forms.map((form) => canonical(`{"n": ${form}}`))).size).toBe(forms.length)
  })

  it('sorts and keeps `__proto__` beside a number that no double holds', () => {
    expect(canonical('{"z":1e400,"__proto__":{"b":1,"a":2}}')).toBe('{"__proto__":{"a":2,"b":1},"z":1e400}')
  })

  it.each([5_000, 100_000])('reads a text nested %i deep, with and without loss', (depth) => {
    const text = `${'['.repeat(depth)}1${']'.repeat(depth)}`
    expect(canonical(text) === text).toBe(true)
    const lossy = text.replace('1', '1e400')
    expect(canonical(lossy) === lossy).toBe(true)
    expect(canonical(`${'['.repeat(depth)}{"a":1,"a":2}${']'.repeat(depth)}`)).toBe('text: duplicate name')
  })

  it('does not depend on white space, order of names, or how numbers and strings are spelt', () => {
    fc.assert(
      fc.property(document, fc.infiniteStream(fc.nat({ max: 1000 })), (value, choices) => {
        const written = write(value, choices)
        expect(canonical(written)).toBe(canonical(write(value, undefined)))
      }),
      { numRuns: 300 },
    )
  })

  it('keeps distinct documents apart', () => {
    fc.assert(
      fc.property(document, document, (a, b) => {
        const same = keyOf(a) === keyOf(b)
        expect(canonical(write(a, undefined)) === canonical(write(b, undefined))).toBe(same)
      }),
      { numRuns: 500 },
    )
  })
})

/** A document whose numbers are decimals: digits and an exponent of ten. */
type Document =
  | null
  | boolean
  | string
  | readonly Document[]
  | { readonly digits: bigint; readonly power: number }
  | { readonly members: readonly (readonly [string, Document])[] }

const decimal = fc.record({
  digits: fc.oneof(fc.bigInt({ min: -20n, max: 20n }), fc.bigInt({ min: -(10n ** 20n), max: 10n ** 20n })),
  power: fc.oneof(fc.integer({ min: -3, max: 3 }), fc.integer({ min: -400, max: 400 })),
})
const name = fc.constantFrom('a', 'b', '10', '9', 'é', '😀', '__proto__', 'toJSON', '1e400')
const { document } = fc.letrec<{ document: Document }>((tie) => ({
  document: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.constantFrom(null, true, false),
    fc.oneof(name, fc.string({ unit: 'grapheme' })),
    decimal,
    fc.array(tie('document'), { maxLength: 3 }),
    fc.record({
      members: fc.uniqueArray(fc.tuple(name, tie('document')), { maxLength: 4, selector: ([member]) => member }),
    }),
  ),
}))

function write(value: Document, choices: Iterator<number> | undefined): string {
  const choose = (count: number): number => (choices === undefined ? 0 : (choices.next().value as number) % count)
  const space = (): string => ['', ' ', '\n', '\t  '][choose(4)] as string
  if (value === null || typeof value === 'boolean') return `${space()}${value}${space()}`
  if (typeof value === 'string') return `${space()}${writeString(value, choose)}${space()}`
  if ('digits' in value) return `${space()}${writeNumber(value, choose)}${space()}`
  if ('members' in value) {
    const start = choose(value.members.length || 1)
    const members = [...value.members.slice(start), ...value.members.slice(0, start)]
    const text = members.map(
      ([member, inner]) => `${space()}${writeString(member, choose)}${space()}:${write(inner, choices)}`,
    )
    return `{${text.join(',') || space()}}`
  }
  return `[${value.map((element) => write(element, choices)).join(',') || space()}]`
}

function writeString(value: string, choose: (count: number) => number): string {
  if (choose(2) === 0) return JSON.stringify(value)
  const escaped = Array.from({ length: value.length }, (_, index) => {
    return `\\u${value.charCodeAt(index).toString(16).padStart(4, '0')}`
  })
  return `"${escaped.join('')}"`
}

function writeNumber(
  { digits, power }: { readonly digits: bigint; readonly power: number },
  choose: (count: number) => number,
): string {
  const zeros = digits === 0n ? 0 : choose(4) // JSON has no leading zeros
  const sign = digits < 0n ? '-' : ''
  const absolute = (digits < 0n ? -digits : digits).toString()
  switch (choose(3)) {
    case 1:
      return `${sign}${absolute}${'0'.repeat(zeros)}E${power - zeros < 0 ? '' : '+'}${power - zeros}`
    case 2: {
      const point = absolute.padStart(zeros + 1, '0')
      const fraction = point.slice(point.length - zeros)
      return `${sign}${point.slice(0, point.length - zeros)}${fraction === '' ? '' : `.${fraction}`}e${power + zeros}`
    }
    default:
      return `${sign}${absolute}e${power}`
  }
}

/** What a document says, by its own rules: an independent statement of equality. */
function keyOf(value: Document): string {
  if (value === null || typeof value === 'boolean') return String(value)
  if (typeof value === 'string') return `s${JSON.stringify(value)}`
  if ('digits' in value) {
    let { digits, power } = value
    if (digits === 0n) return 'n0'
    while (digits % 10n === 0n) {
      digits /= 10n
      power++
    }
    return `n${digits}e${power}`
  }
  if (!('members' in value)) return `[${value.map(keyOf).join()}]`
  const members = [...value.members].sort(([a], [b]) => (a < b ? -1 : 1))
  return `{${members.map(([member, inner]) => `${JSON.stringify(member)}:${keyOf(inner)}`).join()}}`
}
