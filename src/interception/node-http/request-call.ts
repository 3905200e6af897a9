/** Reads the arguments of `request` and `get`: what is known of a call before it is made. */
import type { RequestOptions } from 'node:http'
import { urlToHttpOptions } from 'node:url'
import { capturedUrl } from '../captured-url.ts'
import { type HeaderPairs, headerPairs } from '../header-pairs.ts'
import type { BodyKind } from '../router.ts'

export type Scheme = 'http:' | 'https:'

export interface RequestCall {
  readonly method: string
  readonly url: string
  readonly bodyKind: BodyKind
  /** URL and options in one, as Node itself joins them. */
  readonly options: RequestOptions
  readonly callback: unknown
}

/** A body announced as longer is not read only to see whether it is a model call's. */
const longestPlainBody = 16 << 20

/** Undefined for what is no exchange of request and response over the network (CONNECT, upgrades, Unix sockets), or no call at all. */
export function requestCall(args: readonly unknown[], scheme: Scheme): RequestCall | undefined {
  const joined = joinedOptions(args)
  if (joined === undefined) return undefined
  const { options, callback } = joined
  const method = typeof options.method === 'string' && options.method !== '' ? options.method.toUpperCase() : 'GET'
  const headers = headerPairs(options.headers)
  if (method === 'CONNECT' || options.socketPath || headers.some(([name]) => name === 'upgrade')) return undefined
  const url = requestUrl(options, scheme)
  return url === undefined ? undefined : { method, url, bodyKind: kindOfBody(method, headers), options, callback }
}

function joinedOptions(args: readonly unknown[]): Pick<RequestCall, 'options' | 'callback'> | undefined {
  const [first, second, third] = args
  const base = typeof first === 'string' ? parsedUrl(first) : isUrl(first) ? first : undefined
  if (base === undefined) {
    if (typeof first !== 'object' || first === null) return undefined
    return { options: { ...first }, callback: second }
  }
  const fromUrl = urlToHttpOptions(base) as RequestOptions
  if (typeof second === 'function') return { options: fromUrl, callback: second }
  return { options: { ...fromUrl, ...(second as RequestOptions | undefined) }, callback: third }
}

function parsedUrl(text: string): URL | undefined {
  return URL.canParse(text) ? new URL(text) : undefined // Node itself says what is wrong with it
}

/** Node's own test: a URL of any realm, and no options. */
function isUrl(value: unknown): value is URL {
  if (typeof value !== 'object' || value === null) return false
  const { href, protocol, auth, path } = value as Record<string, unknown>
  return Boolean(href && protocol) && auth === undefined && path === undefined
}

/** Where it goes, without credentials. Through a proxy that is told the whole URL in the request line: that URL. */
function requestUrl(options: RequestOptions, scheme: Scheme): string | undefined {
  const path = options.path || '/'
  const text = /^https?:\/\//i.test(path) ? path : `${originOf(options, scheme)}${path}`
  return capturedUrl(text)
}

function originOf(options: RequestOptions, scheme: Scheme): string {
  const host = options.hostname || options.host || 'localhost'
  const name = host.includes(':') && !host.startsWith('[') ? `[${host}]` : host
  const port = options.port || options.defaultPort
  return `${options.protocol || scheme}//${name}${port ? `:${port}` : ''}`
}

function kindOfBody(method: string, headers: HeaderPairs): BodyKind {
  if (method === 'GET' || method === 'HEAD') return 'none'
  const header = (wanted: string): string => headers.find(([name]) => name === wanted)?.[1] ?? ''
  const isStreamed = header('transfer-encoding') !== '' || Number(header('content-length')) > longestPlainBody
  return isStreamed ? 'stream' : 'bytes'
}
