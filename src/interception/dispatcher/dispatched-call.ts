/** Reads the options of a dispatch: URL, headers and body, without spoiling what is forwarded. */

import { stringify } from 'node:querystring'
import type { CapturedRequest } from '../../core/capture/captured-request.ts'
import { capturedUrl } from '../captured-url.ts'
import { type HeaderPairs, headerPairs } from '../header-pairs.ts'
import type { BodyKind } from '../router.ts'
import type { DispatchOptions } from './dispatch-protocol.ts'

export interface DispatchedCall {
  readonly method: string
  readonly url: string
  readonly bodyKind: BodyKind
  /** Reads the body; at once unless it is a stream. Call it once. */
  read(): ReadDispatch | Promise<ReadDispatch>
}

export interface ReadDispatch {
  readonly captured: CapturedRequest
  /** Options that send the very same request. */
  readonly forward: DispatchOptions
}

/** Undefined for what is no exchange of request and response: CONNECT, upgrades, another scheme. */
export function dispatchedCall(options: DispatchOptions): DispatchedCall | undefined {
  if (options.upgrade || options.method === 'CONNECT') return undefined
  const url = requestUrl(options)
  if (url === undefined) return undefined
  const { method, body } = options
  const plain = plainBody(body)
  const captured = (bytes: Uint8Array | undefined, headers = headerPairs(options.headers)): CapturedRequest => {
    return { method, url, headers, body: bytes, road: 'dispatcher' }
  }
  if (body === undefined || body === null || plain !== undefined) {
    const bodyKind = plain === undefined ? 'none' : 'bytes'
    return { method, url, bodyKind, read: () => ({ captured: captured(plain), forward: options }) }
  }
  const read = async (): Promise<ReadDispatch> => {
    const { bytes, contentType } = await readBody(body)
    const headers = headerPairs(options.headers)
    if (contentType === undefined || headers.some(([name]) => name === 'content-type')) {
      // Sent as a stream, as the caller did: the framing stays what it was.
      return { captured: captured(bytes, headers), forward: { ...options, body: streamOf(bytes) } }
    }
    const typed: HeaderPairs = [...headers, ['content-type', contentType]]
    return { captured: captured(bytes, typed), forward: { ...options, headers: typed.flat(), body: bytes } }
  }
  return { method, url, bodyKind: 'stream', read }
}

function requestUrl({ origin, path, query }: DispatchOptions): string | undefined {
  const target = /^https?:\/\//.test(path) ? path : `${String(origin ?? '').replace(/\/$/, '')}${path}`
  const full = query
    ? `${target}${target.includes('?') ? '&' : '?'}${stringify(query as Record<string, string>)}`
    : target
  return capturedUrl(full)
}

function plainBody(body: unknown): Uint8Array | undefined {
  if (typeof body === 'string') return new TextEncoder().encode(body)
  if (ArrayBuffer.isView(body)) return new Uint8Array(new Uint8Array(body.buffer, body.byteOffset, body.byteLength))
  return body instanceof ArrayBuffer ? new Uint8Array(body.slice(0)) : undefined
}

/** A form gets its boundary here, and is forwarded with it. */
async function readBody(
  body: object,
): Promise<{ readonly bytes: Uint8Array; readonly contentType: string | undefined }> {
  if (isForm(body)) {
    const form = new FormData()
    for (const [name, value] of body) form.append(name, value as string)
    const encoded = new Response(form)
    return {
      bytes: new Uint8Array(await encoded.arrayBuffer()),
      contentType: encoded.headers.get('content-type') ?? undefined,
    }
  }
  if (body instanceof Blob)
    return { bytes: new Uint8Array(await body.arrayBuffer()), contentType: body.type || undefined }
  const pieces: Uint8Array[] = []
  for await (const piece of body as AsyncIterable<Uint8Array | string>) pieces.push(Buffer.from(piece as Uint8Array))
  return { bytes: new Uint8Array(Buffer.concat(pieces)), contentType: undefined }
}

function isForm(body: object): body is FormData {
  return Object.prototype.toString.call(body) === '[object FormData]'
}

async function* streamOf(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  if (bytes.byteLength > 0) yield bytes
}
