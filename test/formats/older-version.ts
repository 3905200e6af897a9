/**
 * A version before the first, invented for tests: its files say the same in other words, and their requests have another
 * canonical form. It shows what a version that is older than the newest has to bring along, and is not shipped.
 */
import { createHash } from 'node:crypto'
import { array, number, object, string } from '../../src/core/cassette/shape.ts'
import type { FormatVersion, FormatVersions } from '../../src/core/cassette/versions/format-version.ts'
import { version1 } from '../../src/core/cassette/versions/v1/version-1.ts'
import { hashRequest } from '../../src/core/hashing/request-hash.ts'

interface OlderCall {
  readonly asked: string
  readonly answer: string
  /** SHA-256 of what was asked. */
  readonly key: string
}

interface OlderFile {
  readonly format: string
  readonly name: string
  readonly date: string
  readonly years: number
  readonly calls: readonly OlderCall[]
}

const call = object({ asked: string, answer: string, key: string })

const olderVersion: FormatVersion = {
  format: 'turntape/0',
  features: new Set(['years']),
  shape: (file) => {
    const head = { format: string, name: string, date: string, years: number }
    const { requires: _requires, ...members } = file as { readonly requires?: unknown }
    return object({ ...head, calls: array(call) })(members)
  },
  rules: () => undefined,
  lift: (file) => {
    const { name, date, calls } = file as OlderFile
    return {
      format: version1.format,
      test: name,
      provenance: { kind: 'live' },
      recordedAt: date,
      recordedWith: {},
      interactions: calls.map(liftCall),
    }
  },
}

export const withOlderVersion: FormatVersions = [olderVersion, version1]

export const url = 'https://api.openai.com/v1/chat/completions'

/** An edit of the old file stays one: a key that does not hold gives no hash that does. */
function liftCall({ asked, answer, key }: OlderCall, index: number): object {
  const request = {
    method: 'POST',
    url,
    headers: { 'content-type': 'application/json' },
    body: { json: { model: 'gpt-5', messages: [{ role: 'user', content: asked }] } },
  }
  return {
    number: index + 1,
    kind: 'model',
    hash: key === keyOf(asked) ? hashRequest(request) : '0'.repeat(64),
    request,
    response: {
      status: 200,
      headers: [['content-type', 'application/json']],
      body: { json: { choices: [{ index: 0, message: { role: 'assistant', content: answer } }] } },
    },
    timing: { startMs: index },
  }
}

function keyOf(asked: string): string {
  return createHash('sha256').update(asked).digest('hex')
}

export function olderFile(calls: readonly (readonly [asked: string, answer: string])[]): string {
  const file: OlderFile = {
    format: olderVersion.format,
    name: 'answers questions',
    date: '2025-01-01T00:00:00.000Z',
    years: 1,
    calls: calls.map(([asked, answer]) => ({ asked, answer, key: keyOf(asked) })),
  }
  return JSON.stringify(file, null, 2)
}
