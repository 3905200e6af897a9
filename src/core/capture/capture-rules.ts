/** Which hosts and URLs an option names: a host (`api.example.com`, `*.example.com`, `host:8080`), a URL prefix, a pattern or a function. */
export type UrlMatcher = string | RegExp | ((url: URL) => boolean)

/** What is captured, beside the built-in rules. */
export interface CaptureRules {
  /** More hosts to capture, loopback ones among them. */
  readonly capture: readonly UrlMatcher[]
  /** Hosts that go out untouched, in recording and in replay. */
  readonly passthrough: readonly UrlMatcher[]
  /** More URLs whose POSTs are model calls. */
  readonly models: readonly UrlMatcher[]
  /** Calls that belong to no recording: live while recording, answered 204 in replay. */
  readonly ignore: ((request: IgnorableRequest) => boolean) | undefined
}

/** What `ignore` is asked with. `body` is text where it is known to be. */
export interface IgnorableRequest {
  readonly method: string
  readonly url: string
}

export const noCaptureRules: CaptureRules = { capture: [], passthrough: [], models: [], ignore: undefined }

/** True when one of the matchers names this URL. */
export function matchesUrl(matchers: readonly UrlMatcher[], url: URL): boolean {
  return matchers.some((matcher) => matchesOne(matcher, url))
}

function matchesOne(matcher: UrlMatcher, url: URL): boolean {
  if (typeof matcher === 'function') return matcher(url)
  // Of whatever realm.
  if (typeof matcher === 'object') return new RegExp(matcher.source, matcher.flags.replace(/[gy]/g, '')).test(url.href)
  if (matcher.includes('://')) return url.href.startsWith(matcher)
  // Most name a host alone.
  if (!matcher.includes(':')) return matchesHost(matcher.toLowerCase(), url.hostname)
  const [host = '', port] = splitHostPort(matcher.toLowerCase())
  if (port !== undefined && port !== effectivePort(url)) return false
  return matchesHost(host.replace(/^\[|\]$/g, ''), url.hostname.replace(/^\[|\]$/g, ''))
}

/** The host of a URL is in lower case already. */
function matchesHost(host: string, actual: string): boolean {
  return host.startsWith('*.') ? actual.endsWith(host.slice(1)) : actual === host
}

function splitHostPort(text: string): readonly [string, string | undefined] {
  const match = /^(.*?)(?::(\d+))?$/.exec(text)
  if (match === null || (match[1]?.includes(':') && !match[1].startsWith('['))) return [text, undefined]
  return [match[1] ?? text, match[2]]
}

function effectivePort(url: URL): string {
  return url.port || (url.protocol === 'https:' ? '443' : '80')
}
