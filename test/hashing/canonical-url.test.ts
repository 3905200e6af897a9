import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { canonicalUrl } from '../../src/core/hashing/canonical-url.ts'
import { isLoopbackHost } from '../../src/core/hashing/is-loopback-host.ts'

describe('canonicalUrl, promise 4', () => {
  it.each([
    ['HTTPS://API.OpenAI.com:443/v1/Chat', 'https://api.openai.com/v1/Chat'],
    ['http://example.com:80', 'http://example.com/'],
    ['https://example.com:8443/a', 'https://example.com:8443/a'],
    ['https://user:secret@example.com/a#part', 'https://example.com/a'],
    ['http://127.0.0.1:4010/v1', 'http://localhost/v1'],
    ['http://127.8.9.1/v1', 'http://localhost/v1'],
    ['http://[::1]:4010/v1', 'http://localhost/v1'],
    ['http://localhost:11434/v1', 'http://localhost/v1'],
    ['http://tenant.localhost:3000/v1', 'http://localhost/v1'],
    ['http://[::ffff:127.0.0.1]:3000/', 'http://localhost/'],
    ['http://127.0.0.1.example.com:3000/', 'http://127.0.0.1.example.com:3000/'],
    ['http://notlocalhost:3000/', 'http://notlocalhost:3000/'],
    ['http://[2001:db8::1]:3000/', 'http://[2001:db8::1]:3000/'],
    ['https://h/p?b=2&a=1&a=0', 'https://h/p?a=0&a=1&b=2'],
    ['https://h/p?a=1&a', 'https://h/p?a&a=1'],
    ['https://h/p?', 'https://h/p'],
    ['https://h/p?&a=1&', 'https://h/p?a=1'],
    ['https://h/p?aa=1&a=2', 'https://h/p?a=2&aa=1'],
    ['no url', 'no url'],
  ])('%s is %s', (url, canonical) => {
    expect(canonicalUrl(url)).toBe(canonical)
  })

  it('does not depend on the order of the query, and is a fixed point', () => {
    const parameter = fc.tuple(fc.constantFrom('a', 'b', 'aa', 'a%20b'), fc.constantFrom('', '1', '2', 'x=y', '%26'))
    fc.assert(
      fc.property(fc.array(parameter, { maxLength: 6 }), fc.nat(), (parameters, turn) => {
        const write = (list: typeof parameters): string => `https://h/?${list.map(([n, v]) => `${n}=${v}`).join('&')}`
        const start = parameters.length === 0 ? 0 : turn % parameters.length
        const turned = [...parameters.slice(start), ...parameters.slice(0, start)].reverse()
        const canonical = canonicalUrl(write(parameters))
        expect(canonicalUrl(write(turned))).toBe(canonical)
        expect(canonicalUrl(canonical)).toBe(canonical)
      }),
      { numRuns: 100 },
    )
  })
})

describe('isLoopbackHost', () => {
  it.each([
    ...['localhost', 'LocalHost', 'localhost.', 'a.b.localhost', '127.0.0.1', '127.255.255.254', '::1', '[::1]'],
    ...['0:0:0:0:0:0:0:1', '::ffff:127.0.0.1', '::ffff:7f00:1'],
  ])('counts %s', (host) => expect(isLoopbackHost(host)).toBe(true))

  it.each([
    ...['', 'example.com', 'localhost.example.com', 'mylocalhost', '128.0.0.1', '1127.0.0.1', '127.0.0.1.nip.io'],
    ...['::2', '::ffff:128.0.0.1', '::ffff:8000:1', '127.0.0'],
  ])('does not count %j', (host) => expect(isLoopbackHost(host)).toBe(false))
})
