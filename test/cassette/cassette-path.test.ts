import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { cassettePath, pathKey } from '../../src/core/cassette/cassette-path.ts'

interface PathVector {
  readonly title: string
  readonly testFile: string
  readonly names: readonly string[]
  readonly index: number
  readonly path: string
}

const file = new URL('../formats/path-vectors.json', import.meta.url)
const { paths, collisions } = JSON.parse(readFileSync(file, 'utf8')) as {
  readonly paths: readonly PathVector[]
  readonly collisions: readonly {
    readonly one: readonly string[]
    readonly other: readonly string[]
    readonly collide: boolean
  }[]
}

describe('cassettePath', () => {
  it.each(paths)('F21 vector: $title', ({ path, ...place }) => {
    expect(cassettePath(place)).toBe(path)
  })

  it.each(collisions)('F21 vector: $one and $other collide: $collide', ({ one, other, collide }) => {
    expect(pathKey(one) === pathKey(other)).toBe(collide)
  })

  const names = fc.array(fc.string({ unit: 'binary', maxLength: 120 }), { minLength: 1, maxLength: 4 })
  const testFile = fc
    .array(fc.stringMatching(/^[a-z.é-]{1,30}$/), { minLength: 1, maxLength: 8 })
    .map((list) => `${list.join('/')}.test.ts`)

  it('CU-27 F21 law: any path is portable, below `cassettes`, and bounded in length', () => {
    fc.assert(
      fc.property(testFile, names, fc.integer({ min: 1, max: 3000 }), (place, list, index) => {
        const path = cassettePath({ testFile: place, names: list, index })
        expect(path.length).toBeLessThanOrEqual(200)
        expect(path.startsWith('cassettes/')).toBe(true)
        expect(path.split('/')).not.toContain('..')
        const name = path.slice(path.lastIndexOf('/') + 1)
        expect(name).toMatch(/^[\p{L}\p{M}\p{N}_][\p{L}\p{M}\p{N}_-]*\.json$/u)
        expect(Buffer.byteLength(name)).toBeLessThanOrEqual(250)
        expect(cassettePath({ testFile: place, names: list, index })).toBe(path)
      }),
      { numRuns: 200 },
    )
  })

  it('F21 law: tests of one file with different keys or indexes have different paths, whatever the case', () => {
    fc.assert(
      fc.property(
        names,
        names,
        fc.integer({ min: 1, max: 3 }),
        fc.integer({ min: 1, max: 3 }),
        (one, other, index, twin) => {
          fc.pre(pathKey(one) !== pathKey(other) || index !== twin)
          const [first, second] = [
            cassettePath({ testFile: 'a.test.ts', names: one, index }),
            cassettePath({ testFile: 'a.test.ts', names: other, index: twin }),
          ]
          expect(first.toUpperCase()).not.toBe(second.toUpperCase())
        },
      ),
      { numRuns: 200 },
    )
  })
})
