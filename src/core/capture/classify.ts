/**
 * What is captured and as what: a pure decision over a request and the rules. Knows nothing of tests or modes.
 * `pass`: not ours, forward untouched. `ignored`: telemetry and the like. `model` and `http`: captured.
 */
import { isLoopbackHost } from '../hashing/is-loopback-host.ts'
import { type CaptureRules, matchesUrl } from './capture-rules.ts'
import type { CapturedRequest } from './captured-request.ts'
import { asksForBackground, looksLikeModelBody, looksLikeModelPath } from './model-call.ts'
import { isTelemetry } from './telemetry-hosts.ts'

export type CallClass = 'pass' | 'ignored' | 'model' | 'http'

export type HeadClass = CallClass | 'model or http' | 'model or pass'

export interface ClassifyContext {
  readonly rules: CaptureRules
  /** True when this very process listens on the port. */
  readonly isOwnPort: (port: number) => boolean
}

/** What the head alone says: the decision, or the two between which only the body can tell. */
export function classifyHead(method: string, href: string, context: ClassifyContext): HeadClass {
  const url = parseUrl(href)
  if (url === undefined || !/^https?:$/.test(url.protocol)) return 'pass'
  const { rules } = context
  if (matchesUrl(rules.passthrough, url)) return 'pass'
  const named = matchesUrl(rules.capture, url)
  const model = looksLikeModelPath(method, url) || (method === 'POST' && matchesUrl(rules.models, url))
  if (rules.ignore?.({ method, url: href }) === true) return 'ignored'
  if (isLoopbackHost(url.hostname)) {
    if (named) return model ? 'model' : 'model or http'
    if (context.isOwnPort(portOf(url))) return 'pass'
    if (asksForBackground(url)) return 'http'
    return model ? 'model' : method === 'POST' ? 'model or pass' : 'pass'
  }
  if (!named && isTelemetry(url)) return 'ignored'
  return model ? 'model' : 'model or http'
}

/** The whole decision. */
export function classifyRequest(request: CapturedRequest, context: ClassifyContext): CallClass {
  return classifyBody(request, classifyHead(request.method, request.url, context))
}

/** The decision about a request whose head was classified. */
export function classifyBody(request: CapturedRequest, head: HeadClass): CallClass {
  if (head !== 'model or http' && head !== 'model or pass') return head
  if (looksLikeModelBody(request.method, request.body)) return 'model'
  return head === 'model or http' ? 'http' : 'pass'
}

function parseUrl(href: string): URL | undefined {
  try {
    return new URL(href)
  } catch {
    return undefined // the road itself reports an invalid URL, as it would without us
  }
}

function portOf(url: URL): number {
  return Number(url.port || (url.protocol === 'https:' ? 443 : 80))
}
