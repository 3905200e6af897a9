import { existsSync, readdirSync } from 'node:fs'
import { join, relative, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { describe, expect, test } from 'vitest'
import type { Cassette } from '../../src/core/cassette/document.ts'
import { createRedactor } from '../../src/redaction/redactor.ts'
import { scanForSecrets } from '../../src/redaction/scan.ts'
import { bodyOf, joinedText, requestOf, textOf } from './secret-samples.ts'

const corpus = resolve('../shared/corpus')
const isPresent = existsSync(join(corpus, 'serve.mjs'))

/** Loading and decoding all of it is work; on a busy machine the default would be too short. */
const patience = { timeout: 60_000 }

/** The members used here of what the corpus' own loader gives. */
interface CorpusInteraction {
  readonly reqBody: string | Uint8Array | null
  readonly headers: readonly (readonly [string, string])[]
  readonly body: Uint8Array
}

interface Body {
  readonly name: string
  readonly bytes: Uint8Array
  readonly contentType: string | undefined
}

async function corpusBodies(): Promise<Body[]> {
  const { loadFile } = (await import(/* @vite-ignore */ pathToFileURL(join(corpus, 'serve.mjs')).href)) as {
    loadFile(file: string): Promise<CorpusInteraction[]>
  }
  const entries = readdirSync(join(corpus, 'http'), { recursive: true, withFileTypes: true })
  const files = entries.filter((entry) => entry.isFile() && !entry.name.endsWith('.bin'))
  const bodies: Body[] = []
  for (const file of files.map((entry) => join(entry.parentPath, entry.name)).sort()) {
    for (const [index, { reqBody, headers, body }] of (await loadFile(file)).entries()) {
      const name = `${relative(corpus, file)} ${index + 1}`
      const contentType = headers.find(([header]) => header.toLowerCase() === 'content-type')?.[1]
      bodies.push({ name: `${name} response`, bytes: new Uint8Array(body), contentType })
      if (reqBody !== null && reqBody.length > 0) {
        bodies.push({
          name: `${name} request`,
          bytes: new Uint8Array(Buffer.from(reqBody as string)),
          contentType: 'application/json',
        })
      }
    }
  }
  return bodies
}

/** Folders that no recording names, so that only shapes, names and `/tmp` can hit. */
const folders = { project: '/nowhere/project', home: '/nowhere', temporary: [] }

describe.skipIf(!isPresent)('the corpus (skipped where ../shared/corpus is absent)', () => {
  test(
    'F15: ids, signatures, encrypted reasoning and base64 stay untouched; /tmp alone is rewritten',
    patience,
    async () => {
      const bodies = await corpusBodies()
      expect(bodies.length).toBeGreaterThan(400)
      const rewritten: string[] = []
      for (const { name, bytes, contentType } of bodies) {
        const body = bodyOf([bytes])
        const after = name.endsWith('request')
          ? textOf(createRedactor(folders).request(requestOf({ body: bytes })).body)
          : joinedText(createRedactor(folders).responseBody(body, contentType))
        if (after === textOf(bytes)) continue
        rewritten.push(name)
        // All hits are the folder: nothing else is taken out.
        expect(after).not.toContain('<redacted:')
        expect(after.replaceAll('<tmp>', '').length, name).toBe(
          textOf(bytes).length - 4 * after.split('<tmp>').length + 4,
        )
      }
      // A code execution tool that works in /tmp, and an agent whose working directory is below it.
      expect(new Set(rewritten.map((name) => name.replace(/ \d+ \w+$/, '')))).toEqual(
        new Set([
          'http/braintrust-sdk-javascript/openai-codex-instrumentation/openai-codex-v0-latest-wrapped.cassette.json',
          'http/vercel-ai/anthropic/anthropic-code-execution-file-upload.1.chunks.txt',
        ]),
      )
    },
  )

  test('promise 7: the scan finds no shape of a secret in any decoded form', patience, async () => {
    const interactions = (await corpusBodies()).map(({ bytes }, index) => ({
      number: index + 1,
      kind: 'http' as const,
      hash: '0'.repeat(64),
      timing: { startMs: 0 },
      request: { method: 'GET', url: 'https://x.test/' },
      response: { status: 200, headers: [], body: { text: textOf(bytes) } },
    }))
    const cassette: Cassette = {
      format: 'turntape/1',
      test: 't',
      provenance: { kind: 'live' },
      recordedAt: '',
      recordedWith: {},
      interactions,
    }
    const facts = { secretValues: [], userNames: ['alice'], hostNames: ['alices-mac'] }
    expect(scanForSecrets({ cassette, sideFiles: new Map(), facts })).toEqual([])
  })
})
