import { describe, expect, it, vi } from 'vitest'
import { contentHash } from '../../src/core/cassette/content-hash.ts'
import type { RequestBody } from '../../src/core/cassette/document.ts'
import { encodeRequestBody } from '../../src/core/cassette/request-body.ts'

const encode = (content: string, contentType?: string) =>
  encodeRequestBody(Uint8Array.from(Buffer.from(content)), contentType)

describe('encodeRequestBody', () => {
  it.each<[string, string, string | undefined, RequestBody]>([
    ['JSON', '{"b":1,"a":[2]}', 'application/json', { json: { b: 1, a: [2] } }],
    ['JSON with other white space', '{ "b" :1.0,\n"a":1e2 }', 'application/json', { json: { b: 1, a: 100 } }],
    ['JSON that nobody named', '{"a":1}', undefined, { json: { a: 1 } }],
    ['JSON sent as text', ' [1]', 'text/plain;charset=UTF-8', { json: [1] }],
    ['a scalar named as JSON', '"x"', 'application/vnd.api+json', { json: 'x' }],
    ['a scalar that nobody named', '12', undefined, { text: '12' }],
    ['duplicate names', '{"a":1,"a":2}', 'application/json', { text: '{"a":1,"a":2}' }],
    ['an inexact number', '{"a":12345678901234567890}', 'application/json', { text: '{"a":12345678901234567890}' }],
    ['an inexact fraction', '[0.1000000000000000055]', 'application/json', { text: '[0.1000000000000000055]' }],
    ['a lone surrogate', String.raw`["\udc00"]`, 'application/json', { text: String.raw`["\udc00"]` }],
    ['a prototype name', '{"__proto__" :1}', 'application/json', { text: '{"__proto__" :1}' }],
    ['names that are numbers out of order', '{"b": 1,"1":2}', 'application/json', { text: '{"b": 1,"1":2}' }],
    ['names that are numbers in order', '{"1": 1,"2":2,"b":0}', 'application/json', { json: { 1: 1, 2: 2, b: 0 } }],
    ['broken JSON', '{"a":\n', 'application/json', { lines: ['{"a":', ''] }],
    ['a form', 'a=1&b=%7B', 'application/x-www-form-urlencoded', { text: 'a=1&b=%7B' }],
    ['nothing', '', undefined, { text: '' }],
  ])('F6 stores %s', async (_, content, contentType, expected) => {
    expect(await encode(content, contentType)).toEqual(expected)
  })

  it('F6 keeps the key order', async () => {
    expect(JSON.stringify(await encode('{ "zebra":1, "apple":2,"10":3 }'))).toBe(
      JSON.stringify({ text: '{ "zebra":1, "apple":2,"10":3 }' }),
    )
    expect(JSON.stringify(await encode('{ "zebra":1, "apple":2}'))).toBe('{"json":{"zebra":1,"apple":2}}')
  })

  it('F6 stores binary content by its hash and size', async () => {
    const bytes = Uint8Array.of(0xff, 0, 1)
    expect(await encodeRequestBody(bytes, 'audio/wav')).toEqual({ sha256: contentHash(bytes), bytes: 3 })
  })

  describe('F6 multipart', () => {
    const image = Uint8Array.of(0x89, 0x50, 0xff, 0)

    async function multipart(boundary: 'named' | 'unnamed'): Promise<RequestBody> {
      const form = new FormData()
      form.append('model', 'whisper-1')
      form.append('file', new File([image], 'a "b".png', { type: 'image/png' }))
      form.append('model', 'again')
      form.append('notes', new File(['line\n'], 'notes.txt', { type: 'text/plain' }))
      form.append('long', 'x'.repeat(4097))
      const request = new Request('http://localhost/', { method: 'POST', body: form })
      const contentType = request.headers.get('content-type') as string
      const bytes = new Uint8Array(await request.arrayBuffer())
      return await encodeRequestBody(bytes, boundary === 'named' ? contentType : 'multipart/form-data')
    }

    it('stores the parts in order by name, type, file name and content, not the envelope', async () => {
      const parts = await multipart('named')
      expect(parts).toEqual({
        parts: [
          { name: 'model', text: 'whisper-1' },
          { name: 'file', filename: 'a "b".png', type: 'image/png', sha256: contentHash(image), bytes: 4 },
          { name: 'model', text: 'again' },
          { name: 'notes', filename: 'notes.txt', type: 'text/plain', text: 'line\n' },
          { name: 'long', sha256: contentHash('x'.repeat(4097)), bytes: 4097 },
        ],
      })
      expect(await multipart('named')).toEqual(parts)
      expect(await multipart('unnamed')).toEqual(parts)
    })

    it('is read where a test environment has put a Response of its own in the place of the global', async () => {
      const parts = await multipart('named')
      const replacement = class {}
      vi.stubGlobal('Response', replacement)
      expect(await multipart('named')).toEqual(parts)
      expect(globalThis.Response).toBe(replacement)
      vi.unstubAllGlobals()
    })

    it('that cannot be read is stored as the text it is', async () => {
      const type = 'multipart/form-data; boundary=x'
      expect(await encode('no parts here', type)).toEqual({ text: 'no parts here' })
    })
  })
})
