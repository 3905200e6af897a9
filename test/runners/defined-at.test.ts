import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { definedAt } from '../../src/runners/vitest/defined-at.ts'

/** Of the test of that name, the line and column in a file of these lines. */
function placeOf(name: string, ...lines: readonly string[]): string | undefined {
  const folder = mkdtempSync(join(tmpdir(), 'defined-at-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const file = join(folder, 'a.test.ts')
  writeFileSync(file, lines.join('\n'))
  return definedAt(file, name)?.slice(file.length)
}

test.each([
  ["test('books', async () => {})", ':2:1'],
  ['  it.concurrent("books", { retry: 2 }, async () => {})', ':2:3'],
  ['test(`books`, async () => {})', ':2:1'],
  ["test.skipIf(slow)('books', async () => {})", ':2:19'],
  ["test(\n  'books',\n  async () => {})", ':2:1'],
  ["test.for(rows)('book%s', async () => {})", ':2:16'],
  [`for (const what of all) test(\`b$\{what}s\`, async () => {})`, ':2:25'],
])('%s is where the test stands', (line, place) => {
  expect(placeOf('books', "import { test } from 'vitest'", line, "test('other', () => {})")).toBe(place)
})

test('a name that is written out goes before one with gaps, and escapes are no part of it', () => {
  expect(placeOf("it's", "test.each(rows)('%s', () => {})", String.raw`test('it\'s', () => {})`)).toBe(':2:1')
  expect(placeOf('100 (a+b)', "test.each(rows)('$count (a+b)', () => {})", "test('(a+b)', () => {})")).toBe(':1:17')
})

test('a name of two calls, of none, and of a file that is gone has no place', () => {
  expect(placeOf('books', "test('books', () => {})", "test('books', () => {})")).toBeUndefined()
  expect(placeOf('books', 'test(name, () => {})', "test.each(rows)('%s', () => {})")).toBeUndefined()
  expect(definedAt('/no/such/a.test.ts', 'books')).toBeUndefined()
})

test('a file of one endless word is read once', () => {
  expect(placeOf('books', 'a'.repeat(2_000_000), ')'.repeat(200_000), "test('books', () => {})")).toBe(':3:1')
})
