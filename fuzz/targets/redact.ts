/** Whatever is redacted: once is enough, as many chunks as before, JSON stays JSON; and the scan reads anything. */
import type { RecordedBody } from '../../src/core/cassette/document.ts'
import { encodeBody } from '../../src/core/cassette/encode-body.ts'
import { parseJson } from '../../src/core/cassette/json-text.ts'
import { createRedactor, type Redactor } from '../../src/redaction/redactor.ts'
import { scanForSecrets } from '../../src/redaction/scan.ts'
import { cassetteOf, httpInteraction } from '../../test/cassette/sample-cassette.ts'
import { hold } from '../fuzz-target.ts'
import { randomFrom } from '../random.ts'
import { cutAnywhere } from './store-body.ts'

const folders = { project: '/home/someone/shop', home: '/home/someone', temporary: ['/tmp'] }
const facts = {
  secretValues: [{ name: 'SHOP_PASSWORD', value: 'horse-battery-staple' }],
  userNames: ['someone'],
  hostNames: [],
}
const types = [
  'application/json',
  'text/event-stream',
  'application/x-www-form-urlencoded',
  'text/plain',
  undefined,
] as const

export function checkRedaction(input: Uint8Array): void {
  const contentType = randomFrom(input).pick(types)
  const text = new TextDecoder().decode(input)
  const once = redactor().text(text)
  hold(redactor().text(once) === once, 'a text that is redacted twice is another')
  checkBody(input, contentType)
  checkRequest(input, contentType)
}

function redactor(): Redactor {
  return createRedactor(folders)
}

function checkBody(input: Uint8Array, contentType: string | undefined): void {
  const body: RecordedBody = { chunks: cutAnywhere(input), end: { kind: 'complete' } }
  const once = redactor().responseBody(body, contentType)
  hold(once.chunks.length === body.chunks.length, `${once.chunks.length} chunks of ${body.chunks.length}`)
  const twice = redactor().responseBody(once, contentType)
  hold(Buffer.compare(joined(twice), joined(once)) === 0, 'a body that is redacted twice is another')
  const isJson = parseJson(joined(body).toString()) !== undefined
  hold(!isJson || parseJson(joined(once).toString()) !== undefined, 'JSON that is redacted is none any more')
  const { stored, sideFile } = encodeBody(once, { contentType })
  const sideFiles = new Map(sideFile === undefined ? [] : [[sideFile.name, sideFile.bytes]])
  scanForSecrets({ cassette: cassetteOf(httpInteraction(1, stored)), sideFiles, facts })
}

function checkRequest(input: Uint8Array, contentType: string | undefined): void {
  const headers = contentType === undefined ? [] : [['content-type', contentType] as const]
  const sent = { method: 'POST', headers, road: 'fetch' } as const
  const url = `https://a.test/v1?q=${encodeURIComponent(new TextDecoder().decode(input.subarray(0, 200)))}`
  const once = redactor().request({ ...sent, url, body: input })
  const twice = redactor().request({ ...sent, url: once.url, body: once.body })
  hold(twice.url === once.url, 'a URL that is redacted twice is another')
  hold(Buffer.compare(twice.body ?? input, once.body ?? input) === 0, 'a request that is redacted twice is another')
}

function joined({ chunks }: RecordedBody): Buffer {
  return Buffer.concat(chunks.map(({ bytes }) => bytes))
}
