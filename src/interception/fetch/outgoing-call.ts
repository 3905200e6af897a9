/** Reads the arguments of a `fetch` call: what is known at once, and its body, without spoiling what is forwarded. */
import type { CapturedRequest } from '../../core/capture/captured-request.ts'
import type { BodyKind } from '../router.ts'

export type FetchInput = Parameters<typeof fetch>[0]
export type FetchInit = RequestInit

/** A call as far as it is known before its body is read. */
export interface OutgoingCall {
  readonly input: FetchInput
  readonly init: FetchInit | undefined
  /** The input, where it is one. */
  readonly request: Request | undefined
  readonly method: string
  readonly url: string
  readonly bodyKind: BodyKind
  readonly signal: AbortSignal | undefined
}

export interface ReadCall {
  readonly captured: CapturedRequest
  /** Arguments that send the very same call: the caller's own, with a body that was read put back. */
  readonly forward: readonly [input: FetchInput, init: FetchInit | undefined]
}

/**
 * Undefined for what never reaches the network or is not ours: other schemes (`data:`, `blob:`, `file:`), arguments that
 * `fetch` itself refuses, a signal already aborted. Given to `fetch` untouched, they fail or succeed as without us.
 */
export function outgoingCall(input: FetchInput, init: FetchInit | undefined): OutgoingCall | undefined {
  const request = asRequest(input)
  const url = networkUrl(request === undefined ? String(input) : request.url)
  if (url === undefined) return undefined
  const method = normalMethod(init?.method ?? request?.method ?? 'GET')
  const bodyKind = kindOfBody(init?.body ?? undefined, request)
  if (bodyKind !== 'none' && (method === 'GET' || method === 'HEAD')) return undefined
  const signal = (init?.signal === undefined ? request?.signal : init.signal) ?? undefined
  if (signal?.aborted) return undefined
  return { input, init, request, method, url, bodyKind, signal }
}

function asRequest(input: FetchInput): Request | undefined {
  return typeof input === 'object' && input !== null && 'url' in input && 'method' in input ? input : undefined
}

function networkUrl(text: string): string | undefined {
  let url: URL
  try {
    url = new URL(text)
  } catch {
    return undefined // `fetch` itself reports it
  }
  if (url.protocol !== 'http:' && url.protocol !== 'https:') return undefined
  if (url.username !== '' || url.password !== '') return undefined
  if (url.href.includes('#')) url.hash = ''
  return url.href
}

/** As the fetch standard does: of the methods in any case, these come out in upper case. */
function normalMethod(method: string): string {
  const upper = method.toUpperCase()
  return upperCaseMethods.has(upper) ? upper : method
}

const upperCaseMethods = new Set(['DELETE', 'GET', 'HEAD', 'OPTIONS', 'POST', 'PUT'])

function kindOfBody(body: FetchInit['body'] | undefined, request: Request | undefined): BodyKind {
  if (body === undefined) return request?.body == null ? 'none' : 'stream'
  return isPlain(body) ? 'bytes' : 'stream'
}

function isPlain(body: FetchInit['body']): boolean {
  if (typeof body === 'string' || body instanceof URLSearchParams || ArrayBuffer.isView(body)) return true
  return isArrayBuffer(body)
}

/** Also one of another realm. */
function isArrayBuffer(body: unknown): body is ArrayBuffer {
  return Object.prototype.toString.call(body) === '[object ArrayBuffer]'
}

/** The bytes of a body that can be read at once. A copy: the caller may go on using his buffer. */
function plainBytes(body: FetchInit['body'] | undefined): Uint8Array | undefined {
  if (typeof body === 'string') return encoder.encode(body)
  if (body instanceof URLSearchParams) return encoder.encode(body.toString())
  if (ArrayBuffer.isView(body)) return new Uint8Array(new Uint8Array(body.buffer, body.byteOffset, body.byteLength))
  return isArrayBuffer(body) ? new Uint8Array(body.slice(0)) : undefined
}

const encoder = new TextEncoder()

/** Reads headers and body where that is no stream. */
export function readPlain({ input, init, request, method, url }: OutgoingCall): ReadCall {
  const body = init?.body ?? undefined
  const headers = sentHeaders(init?.headers ?? request?.headers, defaultContentType(body))
  return {
    captured: { method, url, headers, body: plainBytes(body), road: 'fetch' },
    forward: [input, init],
  }
}

function sentHeaders(given: FetchInit['headers'], defaultType: string | undefined): [name: string, value: string][] {
  // Copying those of an SDK first would take longer than reading them.
  const headers = [...(given instanceof Headers ? given : new Headers(given))]
  const isTyped = defaultType === undefined || headers.some(([name]) => name === 'content-type')
  return isTyped ? headers : [...headers, ['content-type', defaultType]]
}

function defaultContentType(body: FetchInit['body'] | undefined): string | undefined {
  if (typeof body === 'string') return 'text/plain;charset=UTF-8'
  return body instanceof URLSearchParams ? 'application/x-www-form-urlencoded;charset=UTF-8' : undefined
}

/** Reads headers and body, once. Builds the request that `fetch` would build, so that a multipart body keeps the boundary that was drawn for it. */
export async function readStream(call: OutgoingCall): Promise<ReadCall> {
  const request = new Request(call.input, call.init)
  const body = await readBody(request)
  const { method, headers } = request
  return {
    captured: { method, url: call.url, headers: [...headers], body, road: 'fetch' },
    // A body in `init` takes the place of the input's own, which may therefore be used up (fetch standard, Request constructor).
    forward: [call.input, { ...knownMembers(call.init), method, headers, body } as FetchInit],
  }
}

async function readBody(request: Request): Promise<Uint8Array> {
  try {
    return new Uint8Array(await request.arrayBuffer())
  } catch (cause) {
    // What fetch makes of a request body that fails while it is sent.
    throw new TypeError('fetch failed', { cause })
  }
}

const initMembers = [
  'cache',
  'credentials',
  'dispatcher',
  'integrity',
  'keepalive',
  'mode',
  'redirect',
  'referrer',
  'referrerPolicy',
  'signal',
] as const

/** Read one by one: `init` may be an object whose members are getters of its prototype, such as a Request. */
function knownMembers(init: FetchInit | undefined): Record<string, unknown> {
  const source = (init ?? {}) as Record<string, unknown>
  return Object.fromEntries(initMembers.map((name) => [name, source[name]]).filter(([, value]) => value !== undefined))
}
