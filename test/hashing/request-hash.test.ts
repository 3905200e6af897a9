import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import type { HttpRequest } from '../../src/core/cassette/document.ts'
import { encodeRequestBody } from '../../src/core/cassette/request-body.ts'
import { canonicalRequest, hashRequest, hashValueRequest } from '../../src/core/hashing/request-hash.ts'

const url = 'https://api.openai.com/v1/chat/completions'
const post = (more: Partial<HttpRequest>): HttpRequest => ({ method: 'POST', url, ...more })
const sha = (text: string): string => createHash('sha256').update(text, 'utf8').digest('hex')

interface Vector {
  readonly name: string
  readonly request: HttpRequest
  readonly canonical: string
  readonly hash: string
}

const vectors = JSON.parse(
  readFileSync(new URL('../formats/request-hash-vectors.json', import.meta.url), 'utf8'),
) as Vector[]

describe('canonicalRequest, F13', () => {
  it.each(vectors)('holds the vector: $name', ({ request, canonical, hash }) => {
    expect(canonicalRequest(request)).toBe(canonical)
    expect(hashRequest(request)).toBe(hash)
    expect(hash).toBe(sha(canonical))
  })

  const json = { model: 'm', messages: [{ role: 'user', content: 'hé' }], temperature: 1.5 }
  const text = ' {"temperature":1.50, "messages":[{"content":"h\\u00e9","role":"user"}],\n"model":"m"}'
  it.each<[string, HttpRequest, HttpRequest]>([
    ['a value and a text of the same JSON', post({ body: { json } }), post({ body: { text } })],
    ['a text and its lines', post({ body: { text } }), post({ body: { lines: text.split('\n') } })],
    ['plain text and its lines', post({ body: { text: 'a\nb\n' } }), post({ body: { lines: ['a', 'b', ''] } })],
    [
      'two spellings of a number that no double holds',
      post({ body: { text: '{"n":9007199254740993}' } }),
      post({ body: { text: '{"n": 9007199254740993.0}' } }),
    ],
    ['loopback hosts and ports', post({ url: 'http://127.0.0.1:1/v1' }), post({ url: 'http://localhost:2/v1' })],
    ['any order of the query', post({ url: `${url}?a=1&b=2` }), post({ url: `${url}?b=2&a=1` })],
    ['spellings of the method', post({}), post({ method: 'post' })],
    [
      'headers that do not change meaning',
      post({ headers: { 'user-agent': 'a', 'content-type': 'application/json' }, body: { json } }),
      post({ headers: { 'content-type': 'application/json; charset=utf-8' }, body: { json } }),
    ],
    [
      'any order of beta flags',
      post({ headers: { 'anthropic-beta': 'b, a' } }),
      post({ headers: { 'anthropic-beta': 'a,b' } }),
    ],
    [
      'multipart boundaries',
      post({
        headers: { 'content-type': 'multipart/form-data; boundary=1' },
        body: { parts: [{ name: 'a', text: 'x' }] },
      }),
      post({
        headers: { 'content-type': 'multipart/form-data; boundary=2' },
        body: { parts: [{ name: 'a', text: 'x' }] },
      }),
    ],
    [
      'a multipart part kept as text or as hash',
      post({ body: { parts: [{ name: 'a', type: 'Text/Plain', text: 'x' }] } }),
      post({ body: { parts: [{ name: 'a', type: 'text/plain', sha256: sha('x'), bytes: 1 }] } }),
    ],
  ])('is equal for %s', (_, a, b) => {
    expect(canonicalRequest(a)).toBe(canonicalRequest(b))
    expect(hashRequest(a)).toBe(hashRequest(b))
  })

  it.each<[string, HttpRequest, HttpRequest]>([
    ['the method', post({}), post({ method: 'PUT' })],
    ['the path', post({}), post({ url: `${url}/` })],
    ['a query value', post({ url: `${url}?a=1` }), post({ url: `${url}?a=2` })],
    ['a member of the body', post({ body: { json: { a: 1 } } }), post({ body: { json: { a: 2 } } })],
    ['null and no member', post({ body: { json: { a: null } } }), post({ body: { json: {} } })],
    ['no body and null', post({}), post({ body: { json: null } })],
    ['no body and empty text', post({}), post({ body: { text: '' } })],
    ['the order of an array', post({ body: { json: [1, 2] } }), post({ body: { json: [2, 1] } })],
    [
      'a digit beyond a double',
      post({ body: { text: '9007199254740993' } }),
      post({ body: { text: '9007199254740995' } }),
    ],
    ['the JSON string and the text', post({ body: { json: 'a' } }), post({ body: { text: 'a' } })],
    ['a duplicate name', post({ body: { text: '{"a":1,"a":1}' } }), post({ body: { json: { a: 1 } } })],
    [
      'anthropic-version',
      post({ headers: { 'anthropic-version': '2023-06-01' } }),
      post({ headers: { 'anthropic-version': '2023-01-01' } }),
    ],
    ['a beta flag', post({ headers: { 'openai-beta': 'a' } }), post({ headers: { 'openai-beta': 'a,b' } })],
    [
      'the media type of a text body',
      post({ headers: { 'content-type': 'text/plain' }, body: { text: 'x' } }),
      post({ headers: { 'content-type': 'text/html' }, body: { text: 'x' } }),
    ],
    ['bytes', post({ body: { sha256: sha('a'), bytes: 1 } }), post({ body: { sha256: sha('b'), bytes: 1 } })],
    [
      'the name of a part',
      post({ body: { parts: [{ name: 'a', text: 'x' }] } }),
      post({ body: { parts: [{ name: 'b', text: 'x' }] } }),
    ],
    [
      'the file name of a part',
      post({ body: { parts: [{ name: 'a', filename: 'x.png', sha256: sha('x'), bytes: 1 }] } }),
      post({ body: { parts: [{ name: 'a', filename: 'y.png', sha256: sha('x'), bytes: 1 }] } }),
    ],
  ])('differs by %s', (_, a, b) => {
    expect(canonicalRequest(a)).not.toBe(canonicalRequest(b))
    expect(hashRequest(a)).not.toBe(hashRequest(b))
  })

  it.each([
    '{"b":1,"a":[1.50,"h\\u00e9"]}',
    '[9007199254740993, 1e400]',
    '{"a":1,"a":2}',
    '{"a":"\\ud800"}',
    '{"__proto__":{"b":1},"a":2}',
    '{"toJSON":1,"a":2}',
    '{"10":1,"9":2}',
    'plain\ntext',
    `${'['.repeat(20_000)}${']'.repeat(20_000)}`,
  ])('does not depend on the stored form that the codec chooses (%#)', async (body) => {
    const stored = await encodeRequestBody(new TextEncoder().encode(body), 'application/json')
    expect(hashRequest(post({ body: stored })) === hashRequest(post({ body: { text: body } }))).toBe(true)
  })

  it('is canonical JSON itself', () => {
    const canonical = canonicalRequest(post({ headers: { 'openai-beta': 'x' }, body: { text: 'not "json"' } }))
    expect(JSON.parse(canonical)).toEqual({
      body: { text: 'not "json"' },
      headers: { 'openai-beta': 'x' },
      method: 'POST',
      url,
    })
  })
})

describe('hashValueRequest', () => {
  it('hashes the canonical JSON of input, kind and name', () => {
    const hash = hashValueRequest({ kind: 'tool', name: 'search', input: { b: 1, a: 'x' } })
    expect(hash).toBe(sha('{"input":{"a":"x","b":1},"kind":"tool","name":"search"}'))
  })

  it.each([
    { kind: 'call', name: 'search', input: 1 },
    { kind: 'tool', name: 'find', input: 1 },
    { kind: 'tool', name: 'search', input: '1' },
  ] as const)('differs by kind, name and input', (other) => {
    expect(hashValueRequest(other)).not.toBe(hashValueRequest({ kind: 'tool', name: 'search', input: 1 }))
  })
})
