import { mediaKindOf } from '../core/cassette/media-type.ts'
import { meaningHeaders } from '../core/hashing/meaning-headers.ts'
import { isPlaceholder } from './placeholder.ts'
import type { PlaceholderLedger } from './placeholder-ledger.ts'
import type { UrlRewriter } from './redact-url.ts'
import { rememberTexts } from './remembered-texts.ts'
import type { TextRewriter } from './text-rewriter.ts'

export type HeaderList = readonly (readonly [name: string, value: string])[]

export interface HeaderRewriter {
  /** The few headers of a request that are stored, names sorted; undefined where there are none. */
  request(headers: HeaderList): Record<string, string> | undefined
  /** The headers of a response that are stored, in the order received. */
  response(headers: HeaderList): [name: string, value: string][]
}

export interface HeaderRules {
  readonly rewriter: TextRewriter
  readonly urls: UrlRewriter
  readonly ledger: PlaceholderLedger
  /** Further names whose value is replaced. */
  readonly names: readonly string[]
}

const storedOfRequests = new Set(['content-type', ...meaningHeaders])

/** What clients read, and what says which server answered. Everything else may name an account or hold a credential. */
const storedOfResponses = new Set([
  'accept-ranges',
  'age',
  'allow',
  'apim-request-id',
  'cache-control',
  'content-disposition',
  'content-language',
  'content-location',
  'content-range',
  'content-type',
  'date',
  'etag',
  'expires',
  'last-modified',
  'link',
  'location',
  'mcp-protocol-version',
  'mcp-session-id',
  'openai-model',
  'openai-poll-after-ms',
  'openai-processing-ms',
  'openai-version',
  'operation-location',
  'request-id',
  'retry-after',
  'retry-after-ms',
  'set-cookie',
  'vary',
  'www-authenticate',
  'x-amzn-errortype',
  'x-amzn-requestid',
  'x-goog-upload-chunk-granularity',
  'x-goog-upload-status',
  'x-goog-upload-url',
  'x-request-id',
  'x-should-retry',
  'x-vercel-ai-data-stream',
  'x-vercel-ai-ui-message-stream',
])
const storedPrefixes = ['anthropic-ratelimit-', 'ratelimit', 'x-amzn-bedrock-', 'x-ratelimit-']

const urlHeaders = new Set(['content-location', 'location', 'operation-location', 'x-goog-upload-url'])

export function createHeaderRewriter({ rewriter, urls, ledger, names }: HeaderRules): HeaderRewriter {
  const secretNames = new Set(names.map((name) => name.toLowerCase()))
  const text = rememberTexts((value) => rewriter.rewrite(value, 'text'))
  const rewritten = (name: string, value: string): string => {
    if (secretNames.has(name)) return isPlaceholder(value) ? value : ledger.placeholderFor('header', value)
    if (name === 'set-cookie') return redactCookie(value, ledger)
    if (urlHeaders.has(name)) return urls.url(value)
    const linked = name === 'link' ? value.replace(/<([^<>]+)>/g, (_, url: string) => `<${urls.url(url)}>`) : value
    return text(linked)
  }
  return {
    request(headers) {
      const stored = new Map<string, string>()
      for (const [name, value] of headers) {
        if (!storedOfRequests.has(name)) continue
        const before = stored.get(name)
        const present = name === 'content-type' ? withoutBoundary(value) : value
        stored.set(name, before === undefined ? present : `${before}, ${present}`)
      }
      if (stored.size === 0) return undefined
      const kept: Record<string, string> = {}
      for (const name of [...stored.keys()].sort()) kept[name] = rewritten(name, stored.get(name) as string)
      return kept
    },
    response: (headers) =>
      headers
        .filter(([name]) => storedOfResponses.has(name) || storedPrefixes.some((prefix) => name.startsWith(prefix)))
        .map(([name, value]) => [name, rewritten(name, value)]),
  }
}

/** The boundary is random: it says nothing, and no two runs would agree on it (promise 4). */
function withoutBoundary(contentType: string): string {
  if (mediaKindOf(contentType) !== 'multipart') return contentType
  return contentType.replace(/;\s*boundary=(?:"[^"]*"|[^;]*)/i, '').trim()
}

/** Keeps name and attributes. */
function redactCookie(cookie: string, ledger: PlaceholderLedger): string {
  const [, name = '', value = '', attributes = ''] = /^([^=;]*=)?([^;]*)(.*)$/s.exec(cookie) ?? []
  const isKept = value.trim() === '' || isPlaceholder(value)
  return name + (isKept ? value : ledger.placeholderFor('cookie', value)) + attributes
}
