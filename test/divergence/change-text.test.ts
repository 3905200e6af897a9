import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Json } from '../../src/core/cassette/document.ts'
import { type ChangeText, changeText } from '../../src/divergence/change-text.ts'

function textOf(recorded: Json | undefined, present: Json | undefined): ChangeText {
  const change = recorded === undefined ? 'added' : present === undefined ? 'removed' : 'changed'
  return changeText({ change, recorded, present, recordedPath: [], presentPath: [] })
}

const long = 'The quick brown fox jumps over the lazy dog while the band plays on and the moon rises. '

const situations: readonly (readonly [
  title: string,
  recorded: Json | undefined,
  present: Json | undefined,
  shown: ChangeText,
])[] = [
  ['a number and a text that spells it', 1, '1', { recorded: '1', present: '"1"', line: undefined }],
  [
    'a value that was added',
    undefined,
    { a: [1, 'x'] },
    { recorded: undefined, present: '{"a":[1,"x"]}', line: undefined },
  ],
  [
    'one word of a long text, with what stands around it',
    `${long}Fly to Paris tomorrow. ${long}`,
    `${long}Fly to Oslo tomorrow. ${long}`,
    {
      recorded: '"…plays on and the moon rises. Fly to Paris tomorrow. The quick brown fox jumps…"',
      present: '"…plays on and the moon rises. Fly to Oslo tomorrow. The quick brown fox jumps…"',
      line: undefined,
    },
  ],
  [
    'two words far apart, what is equal between them elided',
    `Go by boat. ${long}Stay until May.`,
    `Go by train. ${long}Stay until July.`,
    {
      recorded: '"Go by boat. The quick brown…rises. Stay until May."',
      present: '"Go by train. The quick brown…rises. Stay until July."',
      line: undefined,
    },
  ],
  ['blanks', 'a  b', 'a b ', { recorded: '"a  b"', present: '"a b "', line: undefined }],
  [
    'characters that look alike',
    'caf\u00e9 a\u00a0b',
    'cafe\u0301 a b',
    { recorded: '"caf\\u{e9} a\\u{a0}b"', present: '"cafe\\u{301} a b"', line: undefined },
  ],
  [
    'what a terminal would act on',
    '\u001b[31mred',
    'red\u0007',
    { recorded: '"\\u{1b}[31mred"', present: '"red\\u{7}"', line: undefined },
  ],
  [
    'a backslash and the escape it looks like',
    'a\\tb',
    'a\tb',
    { recorded: '"a\\\\tb"', present: '"a\\tb"', line: undefined },
  ],
  [
    'the changed line of several',
    'one\ntwo\nthree\nfour',
    'one\ntwo\nTHREE\nfour',
    { recorded: '"three"', present: '"THREE"', line: 3 },
  ],
  ['a line put in', 'one\nthree', 'one\ntwo\nthree', { recorded: '', present: '"two"', line: 2 }],
  ['a line taken out', 'one\ntwo\nthree', 'one\nthree', { recorded: '"two"', present: '', line: 2 }],
  ['an empty line taken out of nothing else', '\n', '', { recorded: '""', present: '', line: 2 }],
  ['other line ends', 'one\r\ntwo', 'one\ntwo', { recorded: '"one\\r"', present: '"one"', line: 1 }],
]

describe('the text of a change', () => {
  test.each(situations)('shows %s', (_, recorded, present, shown) => {
    expect(textOf(recorded, present)).toEqual(shown)
  })

  test('differs between the sides where short texts differ, is bounded, and holds nothing unprintable', () => {
    const text = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc
        .array(fc.constantFrom('a', 'b', ' ', '\n', 'é', '\\', '\ud83d'), { maxLength: 300 })
        .map((parts) => parts.join('')),
    )
    fc.assert(
      fc.property(text, text, (left, right) => {
        fc.pre(left !== right)
        const { recorded, present } = textOf(left, right)
        expect(recorded).not.toBe(present)
        for (const line of `${recorded}\n${present}`.split('\n')) {
          expect(line.length).toBeLessThanOrEqual(150)
          expect(line).not.toMatch(/\p{Cc}|\p{Cs}/u)
        }
      }),
    )
  })

  test('of two texts of 5 MB shows the one word that changed', () => {
    const half = long.repeat(30_000)
    expect(textOf(`${half}boat ${half}`, `${half}train ${half}`)).toEqual({
      recorded: '"…the band plays on and the moon rises. boat The quick brown fox jumps over the lazy…"',
      present: '"…the band plays on and the moon rises. train The quick brown fox jumps over the lazy…"',
      line: undefined,
    })
  })

  test('of 5 MB that share nothing shows a little of each', () => {
    const { recorded, present } = textOf('ab '.repeat(1_700_000), 'cd\n'.repeat(1_700_000))
    expect(recorded?.length).toBeLessThanOrEqual(150)
    expect(present?.split('\n').length).toBeLessThanOrEqual(7)
  })
})
