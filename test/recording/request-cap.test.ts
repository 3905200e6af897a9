/** The cap of one body holds for what is sent as for what is answered. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { gzipSync } from 'node:zlib'
import { beforeAll, expect, test } from 'vitest'
import { recordedTest } from '../session/recorded-test.ts'

let url = ''
beforeAll(async () => {
  const server = createServer((request, response) => request.resume().on('end', () => response.end('taken')))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/orders`
  return () => server.close()
})

const capture = [() => true]
const limit = 64
const exact = 'x'.repeat(limit)

async function post(body: string | Uint8Array, headers: Record<string, string> = {}): Promise<string> {
  return (await fetch(url, { method: 'POST', body, headers })).text()
}

test.each([
  ['text', () => post(exact)],
  ['JSON', () => post(JSON.stringify({ a: 'x'.repeat(limit - 8) }))],
  ['compressed text', () => post(gzipSync(exact), { 'content-encoding': 'gzip' })],
  // What is known by its hash alone is not stored.
  ['bytes that are no text', () => post(new Uint8Array(4 * limit).fill(0xff))],
])('promise 5 a request of %s exactly at maxBodyBytes is recorded', async (_, body) => {
  const { attempt, text } = recordedTest()
  const { error, value } = await attempt('auto', body, { capture, caps: { maxBodyBytes: limit } })
  expect([error, value]).toEqual([undefined, 'taken'])
  expect(text()).toContain('"method": "POST"')
})

test.each([
  ['text', () => post(`${exact}x`)],
  ['JSON', () => post(JSON.stringify({ a: 'x'.repeat(limit - 7) }))],
  ['compressed text', () => post(gzipSync(`${exact}x`), { 'content-encoding': 'gzip' })],
])('promise 5 a request of %s one byte over it goes on live, and nothing is written', async (_, body) => {
  const { attempt, text } = recordedTest()
  const { error, value, report } = await attempt('auto', body, { capture, caps: { maxBodyBytes: limit } })
  expect(value).toBe('taken')
  expect(error).toMatchObject({
    code: 'TURNTAPE_CAP_EXCEEDED',
    details: { cap: 'maxBodyBytes', limit, found: limit + 1, when: 'recording' },
  })
  expect(report.outcome).toBe('failed')
  expect(text).toThrow('ENOENT')
})
