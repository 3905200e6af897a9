/** The finders that go over a text by hand find what the patterns which say their rules would find. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { findAssignments } from '../../src/redaction/find-assignments.ts'
import { createMemberFinder } from '../../src/redaction/find-members.ts'
import { findShapes } from '../../src/redaction/find-shapes.ts'
import { isSecretMember, isSecretVariable } from '../../src/redaction/secret-names.ts'
import { secretShapes } from '../../src/redaction/secret-shapes.ts'

const assignment =
  /(?<![A-Za-z0-9_.-])([A-Za-z][A-Za-z0-9_.-]{1,60})(?: {0,3}= {0,3}|: {0,3})(?:\\{0,3}["'`])?([A-Za-z0-9_~@!$%^*+/.-]{8}[A-Za-z0-9_~@!$%^*+/.-]*={0,2})/g

/** Every assignment that the pattern sees, whatever its name, with the value's place. */
function assignmentsIn(text: string): readonly { readonly name: string; readonly start: number }[] {
  const found: { name: string; start: number }[] = []
  assignment.lastIndex = 0
  for (let match = assignment.exec(text); match !== null; match = assignment.exec(text)) {
    const [whole, name = '', value = ''] = match
    const end = match.index + whole.length
    const isNamed = isSecretMember(name) || (/^[A-Z][A-Z0-9_]*$/.test(name) && isSecretVariable(name))
    const isTelling = /\d/.test(value) && /[A-Za-z]/.test(value) && !/^[./~]/.test(value)
    if (isNamed && isTelling) found.push({ name, start: end - value.length })
    else assignment.lastIndex = match.index + name.length + 1
  }
  return found
}

const words = [
  ...['DB_PASSWORD', 'api_key', 'x', 'filename', 'a'.repeat(61), 'a'.repeat(62), '9x', '-', '.', '_', '"', "'", '`'],
  ...['=', ':', ' ', '    ', '==', 'q7Rw2Xn9Kd4T', 'abcdefgh', '12345678', '\n', '鍵', '/', '~'],
]

test('promise 7: assignments are found where one pattern for all of it finds them', () => {
  let found = 0
  const word = fc.oneof(fc.constantFrom(...words), fc.constantFrom('DB_PASSWORD', 'api_key', '=', ': ', 'q7Rw2Xn9Kd4T'))
  const text = fc.array(word, { maxLength: 14 }).map((all) => all.join(''))
  fc.assert(
    fc.property(text, (candidate) => {
      const expected = assignmentsIn(candidate).map(({ start }) => start)
      found += expected.length
      expect(findAssignments(candidate).map(({ start }) => start)).toEqual(expected)
    }),
    { numRuns: 4000 },
  )
  expect(found).toBeGreaterThan(20)
})

const nameAndValue = /"\s{0,64}:\s{0,64}"/g

/** Where the values of the members `x` and `api_key` begin, of a text without backslashes. */
function valuesIn(text: string): readonly number[] {
  return [...text.matchAll(nameAndValue)].flatMap(({ 0: border, index }) => {
    const name = text.slice(text.lastIndexOf('"', index - 1) + 1, index)
    const start = index + border.length
    const isNamed = index > 0 && text.lastIndexOf('"', index - 1) >= 0 && (name === 'x' || name === 'api_key')
    return isNamed && start < text.length && text[start] !== '"' ? [start] : []
  })
}

const memberWords = [
  '"',
  '"api_key"',
  '"x"',
  ':',
  ' ',
  '\n',
  '\u00a0',
  '\u0085',
  'v1',
  ' '.repeat(63),
  ' '.repeat(65),
  '":"',
]

test('promise 7: members are found where one pattern for name, colon and value finds them', () => {
  const find = createMemberFinder(['x'])
  let found = 0
  const word = fc.oneof(fc.constantFrom(...memberWords), fc.constantFrom('"x"', ':', '"v1'))
  const text = fc.array(word, { maxLength: 16 }).map((all) => all.join(''))
  fc.assert(
    fc.property(text, (candidate) => {
      const expected = valuesIn(candidate)
      found += expected.length
      expect(find(candidate).map(({ start }) => start)).toEqual(expected)
    }),
    { numRuns: 4000 },
  )
  expect(found).toBeGreaterThan(100)
})

const starts = secretShapes.flatMap((shape) =>
  shape.starts.map((start) => (shape.sampleLead ?? '') + start + shape.sample),
)

test('promise 7: a key is found at any place of a text, and nowhere else than where a beginning of one stands', () => {
  const around = fc.string({ unit: fc.constantFrom('a', ' ', '"', '-', '鍵', '\n', 'S', 'K', 'e', 'Q'), maxLength: 9 })
  fc.assert(
    fc.property(around, fc.constantFrom(...starts), around, (before, secret, after) => {
      const alone = findShapes(secret)[0] as { start: number; end: number }
      const spans = findShapes(`${before} ${secret} ${after}`)
      const shift = before.length + 1
      expect(spans).toContainEqual(expect.objectContaining({ start: alone.start + shift, end: alone.end + shift }))
      expect(findShapes(`${before} ${after}`)).toEqual([])
    }),
    { numRuns: 1000 },
  )
})
