/** The schema that is shipped says what the parser says of a file's shape, and nothing else. */
import { readdirSync, readFileSync } from 'node:fs'
import { Ajv } from 'ajv'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Json } from '../../src/core/cassette/document.ts'
import { version1 } from '../../src/core/cassette/versions/v1/version-1.ts'
import { writeCassette } from '../../src/core/cassette/write-cassette.ts'
import { recordStream } from '../cassette/corpus-streams.ts'
import { cassetteOf, fullCassette, httpInteraction } from '../cassette/sample-cassette.ts'
import { toolLoop } from '../cassette/tool-loop.ts'
import { corpusFiles, hasCorpus, loadExchanges } from '../corpus/corpus.ts'
import { formatNames, readFormatBytes, readFormats } from './format-files.ts'

const schema = JSON.parse(readFileSync(new URL('../../schema/cassette-v1.json', import.meta.url), 'utf8'))
const isValid = new Ajv({ strict: true, strictTypes: false, strictRequired: false, strictTuples: false }).compile(
  schema,
)

/** Shapes that a JSON Schema cannot say. */
const beyondSchema =
  /nested more than 256 levels|there is no such date|a chain of more than 32 causes|a JSON pointer of at most 256 steps|not supported by this version/

function refusal(file: Json): string | undefined {
  return (version1.shape(file) ?? version1.rules(file))?.reason
}

function isShaped(file: Json): boolean {
  return version1.shape(file) === undefined
}

const validNames = formatNames('v1/valid').filter((name) => !name.endsWith('.meaning.json'))

describe('a valid cassette is valid by the schema', () => {
  test.each(validNames)('%s', (name) => {
    expect(errorsOf(readFormats<Json>(`v1/valid/${name}`))).toBeUndefined()
  })

  test('those of this repository', () => {
    const folder = new URL('../../cassettes/', import.meta.url)
    const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.json'))
    expect(files.length).toBeGreaterThan(0)
    for (const name of files) {
      const file = JSON.parse(readFileSync(new URL(name.replaceAll('\\', '/'), folder), 'utf8'))
      expect([name, errorsOf(file)]).toEqual([name, undefined])
    }
  })

  test('one with every member, a long conversation', () => {
    for (const cassette of [
      fullCassette,
      toolLoop({ turns: 12, answers: 'stream', callCharacters: 250, resultCharacters: 620 }).cassette,
    ]) {
      expect(errorsOf(JSON.parse(writeCassette(cassette)))).toBeUndefined()
    }
  })

  test.skipIf(!hasCorpus)('those of every fourth file of the corpus (skipped where there is no corpus)', async () => {
    const files = corpusFiles().filter((_, index) => index % 4 === 0)
    let checked = 0
    for (const file of files) {
      for (const { headers, body } of await loadExchanges(file)) {
        const type = headers.find(([name]) => name.toLowerCase() === 'content-type')?.[1]
        const stored = recordStream(Buffer.from(body).toString('utf8'), type)
        const text = writeCassette(cassetteOf(httpInteraction(1, stored)))
        expect([file, errorsOf(JSON.parse(text))]).toEqual([file, undefined])
        checked += 1
      }
    }
    expect(checked).toBeGreaterThan(20)
  })

  const json = fc.jsonValue({ maxDepth: 4, noUnicodeString: false }) as fc.Arbitrary<Json>
  test('law: whatever is written', () => {
    const event = fc.oneof(
      fc.record({ data: json }),
      fc.record({ event: fc.constant('a'), data: fc.record({ type: fc.constant('t'), text: fc.string() }) }),
      fc.record({ raw: fc.string() }),
    )
    fc.assert(
      fc.property(json, fc.array(event, { maxLength: 40 }), (value, events) => {
        const one = httpInteraction(1, { framing: 'sse', events })
        const two = { ...httpInteraction(2, { json: value }), request: { ...one.request, body: { json: value } } }
        const text = writeCassette(cassetteOf(one, two))
        // A value with a name that no cassette may hold is text in a real one.
        fc.pre(!text.includes('"__proto__"'))
        expect(errorsOf(JSON.parse(text))).toBeUndefined()
      }),
      { numRuns: 60 },
    )
  })
})

describe('a broken one is refused by the schema where its shape is wrong', () => {
  const broken = formatNames('v1/broken').flatMap((name): readonly (readonly [string, Json])[] => {
    try {
      return [[name, JSON.parse(readFormatBytes(`v1/broken/${name}`).toString('utf8'))]]
    } catch {
      // No JSON: nothing for a schema.
      return []
    }
  })

  test.each(broken)('%s', (_, file) => {
    const reason = isShaped(file) ? undefined : refusal(file)
    if (reason === undefined || beyondSchema.test(reason)) return
    expect(isValid(file)).toBe(false)
  })
})

describe('whatever is changed in a valid file, parser and schema agree', () => {
  const strange: readonly Json[] = [null, true, -1, 1.5, 7, 'x', '…', '', [], [1], ['a', 'b'], {}, { a: 1 }, { run: 1 }]

  test.each(validNames)('%s', (name) => {
    const file = readFormats<Json>(`v1/valid/${name}`)
    const places = placesIn(file)
    const agreed = { both: 0, neither: 0 }
    for (const [index, path] of places.entries()) {
      // Each place gets a few of the changes, so that all are tried somewhere.
      for (let turn = 0; turn < 3; turn += 1) {
        const change = (index * 3 + turn) % (strange.length + 2)
        const changed = changedAt(file, path, strange[change - 2], change)
        const shaped = isShaped(changed)
        const valid = isValid(changed)
        if (shaped === valid) agreed[valid ? 'both' : 'neither'] += 1
        else if (shaped) expect({ path, change, why: refusal(changed) }).toMatchObject({ why: expect.any(String) })
        else expect({ path, change, why: refusal(changed) }).toMatchObject({ why: expect.stringMatching(beyondSchema) })
      }
    }
    expect(agreed.both).toBeGreaterThan(20)
    expect(agreed.neither).toBeGreaterThan(100)
  })

  /** Change 0 removes the place, 1 puts an unknown member into it, any other puts `value` there. */
  function changedAt(file: Json, path: readonly string[], value: Json | undefined, change: number): Json {
    const copy = structuredClone(file)
    let parent = copy as any
    for (const step of path.slice(0, -1)) parent = parent[step]
    const last = path.at(-1)!
    if (change === 0 && Array.isArray(parent)) parent.splice(Number(last), 1)
    else if (change === 0) delete parent[last]
    else if (change === 1)
      parent[last] = typeof parent[last] === 'object' ? { ...parent[last], strange: 1 } : [parent[last]]
    else parent[last] = value
    return copy
  }

  /** Every place in the format's own members, and a few of those in values that are the user's. */
  function placesIn(value: any, path: readonly string[] = []): readonly (readonly string[])[] {
    if (typeof value !== 'object' || value === null) return []
    const names = Object.keys(value).slice(0, 16)
    return names.flatMap((name) => [[...path, name], ...placesIn(value[name], [...path, name])])
  }
})

function errorsOf(file: Json): unknown {
  return isValid(file) ? undefined : isValid.errors
}
