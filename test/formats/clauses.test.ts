import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

const root = new URL('../../', import.meta.url)

/** Texts that are the first of several arguments, in any test file: titles, for the most part. */
function titles(): readonly string[] {
  const folder = new URL('test/', root)
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.test.ts'))
    .flatMap((name) => {
      const text = readFileSync(new URL(name.replaceAll('\\', '/'), folder), 'utf8')
      return [...text.matchAll(/\)?\(\s*(['"`])((?:(?!\1)[^\n])*)\1,/g)].map((match) => match[2] ?? '')
    })
}

test('each clause of the cassette format is cited by the title of a test', () => {
  const page = readFileSync(new URL('docs/cassette-format.md', root), 'utf8')
  const clauses = [...page.matchAll(/^\*\*(F\d+)\*\*/gm)].map((match) => match[1] as string)
  expect(clauses).toEqual(Array.from({ length: 21 }, (_, index) => `F${index + 1}`))
  const cited = new Set(titles().flatMap((title) => title.match(/\bF\d+\b/g) ?? []))
  expect(clauses.filter((clause) => !cited.has(clause))).toEqual([])
})
