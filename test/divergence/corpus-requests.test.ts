import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import type { Json } from '../../src/core/cassette/document.ts'
import { type PathSegment, readerPath } from '../../src/divergence/json-path.ts'
import { post } from './agent-requests.ts'
import { diverge, messageOf, modelCall } from './diverge.ts'

const corpus = new URL('../../../shared/corpus/', import.meta.url)

interface CorpusModule {
  loadFile(
    file: string,
  ): Promise<
    readonly { readonly method: string; readonly host: string; readonly path: string; readonly reqBody: unknown }[]
  >
}

interface Leaf {
  readonly path: readonly PathSegment[]
  readonly text: string
}

/** Texts of some words outside of tool schemas, where one word can be changed. */
function wordyLeaves(value: Json, path: readonly PathSegment[] = []): Leaf[] {
  if (typeof value === 'string') return /^[\w ,.]*\w [\w ,.]*$/.test(value) ? [{ path, text: value }] : []
  if (typeof value !== 'object' || value === null) return []
  if (Array.isArray(value)) return value.flatMap((item: Json, index) => wordyLeaves(item, [...path, index]))
  return Object.entries(value).flatMap(([name, member]) => wordyLeaves(member, [...path, name]))
}

function replaced(value: Json, path: readonly PathSegment[], text: string): Json {
  const copy = structuredClone(value)
  let holder = copy as Record<string | number, Json>
  for (const segment of path.slice(0, -1)) holder = holder[segment as string] as Record<string | number, Json>
  holder[path.at(-1) as string] = text
  return copy
}

function jsonOf(body: unknown): Json | undefined {
  try {
    const value: unknown = typeof body === 'string' ? JSON.parse(body) : body
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Json) : undefined
  } catch {
    return undefined // no JSON request
  }
}

// Skips where the corpus is not there: it is no part of the repository.
describe.skipIf(!existsSync(corpus))('promise 3: over the requests of real clients', () => {
  test('one changed word in any text is found at its path, alone', { timeout: 60_000 }, async () => {
    const { loadFile } = (await import(new URL('serve.mjs', corpus).href)) as CorpusModule
    const index = JSON.parse(readFileSync(new URL('INDEX.json', corpus), 'utf8')) as {
      readonly file: string
      readonly bytes: number
    }[]
    let tried = 0
    for (const { file, bytes } of index) {
      if (!/^http\/.*\.ya?ml$/.test(file) || bytes > 60_000) continue
      for (const { method, host, path, reqBody } of await loadFile(fileURLToPath(new URL(file, corpus)))) {
        const body = method === 'POST' ? jsonOf(reqBody) : undefined
        for (const leaf of body === undefined ? [] : wordyLeaves(body).slice(-3)) {
          const url = `https://${host}${path}`
          const present = replaced(body as Json, leaf.path, leaf.text.replace(/\w+(?=\W*$)/, 'elsewhere'))
          const details = diverge([modelCall(post(url, body as Json))], [modelCall(post(url, present))])
          expect(details.changes.map((change) => change.path)).toEqual([readerPath(leaf.path)])
          expect(details.changes[0]?.present).toContain('elsewhere')
          expect(messageOf(details).split('\n').length).toBeLessThanOrEqual(24)
          tried += 1
        }
      }
    }
    expect(tried).toBeGreaterThan(100)
  })
})
