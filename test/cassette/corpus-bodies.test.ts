import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { decodeBody } from '../../src/core/cassette/decode-body.ts'
import type { RecordedBody } from '../../src/core/cassette/document.ts'
import { encodeBody, sameBody } from '../../src/core/cassette/encode-body.ts'
import { corpusFiles, loadExchanges } from '../corpus/corpus.ts'
import { type FiledExchange, streamsOf } from './corpus-streams.ts'

/** Real bodies of many providers, kept outside the repository. */
const corpus = new URL('../../../shared/corpus/', import.meta.url)

interface CorpusInteraction {
  readonly body: Uint8Array
  readonly headers: readonly (readonly [name: string, value: string])[]
}

async function loadBodies(): Promise<
  readonly { readonly name: string; readonly body: Uint8Array; readonly type: string | undefined }[]
> {
  const { loadFile } = (await import(new URL('serve.mjs', corpus).href)) as {
    loadFile(file: string): Promise<readonly CorpusInteraction[]>
  }
  const index = JSON.parse(readFileSync(new URL('INDEX.json', corpus), 'utf8')) as readonly {
    readonly file: string
    readonly interactions?: readonly unknown[]
  }[]
  const bodies = []
  for (const { file, interactions } of index) {
    if ((interactions ?? []).length === 0) continue
    for (const [position, { body, headers }] of (await loadFile(fileURLToPath(new URL(file, corpus)))).entries()) {
      const type = headers.find(([name]) => name.toLowerCase() === 'content-type')?.[1]
      bodies.push({ name: `${file} ${position}`, body: Uint8Array.from(body), type })
    }
  }
  return bodies
}

async function loadAll(): Promise<readonly FiledExchange[]> {
  const all: FiledExchange[] = []
  for (const file of corpusFiles()) {
    for (const [position, exchange] of (await loadExchanges(file)).entries()) all.push({ file, position, exchange })
  }
  return all
}

function split(bytes: Uint8Array, length: number): RecordedBody {
  const chunks = []
  for (let start = 0; start < bytes.byteLength; start += length)
    chunks.push({ bytes: bytes.slice(start, start + length), gapMs: start % 5 })
  return { chunks, end: { kind: 'complete' } }
}

it.skipIf(!existsSync(corpus))(
  'F9 a stream of 200 deltas takes at most 40 % of its bytes, none more than 1 KB beyond them (skipped where there is no corpus)',
  async () => {
    const streams = streamsOf(await loadAll())
    const large = streams.filter(({ body }) => body.events.length >= 200)
    expect(streams.length).toBeGreaterThan(130)
    expect(large.length).toBeGreaterThan(7)
    expect(large.filter(({ rawBytes, storedBytes }) => storedBytes > 0.4 * rawBytes)).toEqual([])
    expect(streams.filter(({ rawBytes, storedBytes }) => storedBytes > rawBytes + 1024)).toEqual([])
  },
  60_000,
)

it.skipIf(!existsSync(corpus))(
  'F5 F8 F9 real bodies come back whole and in any split (skipped where there is no corpus)',
  async () => {
    const bodies = await loadBodies()
    const forms = new Map<string, number>()
    const failed: string[] = []
    for (const { name, body, type } of bodies) {
      for (const length of [Number.POSITIVE_INFINITY, 7, 1]) {
        // Every byte a chunk is slow for the largest bodies and proves no more there.
        if (length < 7 && body.byteLength > 20_000) continue
        const recorded = split(body, Math.min(length, body.byteLength))
        const { stored, sideFile } = encodeBody(recorded, { contentType: type })
        if (stored === undefined) continue
        const sideFiles = new Map(sideFile === undefined ? [] : [[sideFile.name, sideFile.bytes]])
        if (!sameBody(decodeBody(stored, sideFiles), recorded)) failed.push(`${name} by ${length}`)
        const form = Object.keys(stored)[0] as string
        if (length > 7) forms.set(form, (forms.get(form) ?? 0) + 1)
      }
    }
    expect(failed).toEqual([])
    expect(bodies.length).toBeGreaterThan(250)
    expect(forms.get('framing')).toBeGreaterThan(100)
    expect(forms.get('json')).toBeGreaterThan(90)
  },
  60_000,
)
