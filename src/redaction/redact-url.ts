import { isLoopbackHost } from '../core/hashing/is-loopback-host.ts'
import { decodeQuery } from './find-url-secrets.ts'
import { decodePlaceholders, isPlaceholder } from './placeholder.ts'
import type { PlaceholderLedger } from './placeholder-ledger.ts'
import { isSecretMember, isSecretQuery, kindOfName, squashName } from './secret-names.ts'
import { textFormOf } from './text-form.ts'
import type { TextRewriter } from './text-rewriter.ts'

export interface UrlRewriter {
  /** A URL, absolute or relative: without credentials, a loopback host as `localhost` without port, secrets replaced. */
  url(url: string): string
  /** `name=value&…` as a URL or a form has it. */
  pairs(text: string, place: 'query' | 'form'): string
  /** True for a form field that is secret by name. */
  isSecretField(name: string): boolean
}

export interface UrlRules {
  readonly rewriter: TextRewriter
  readonly ledger: PlaceholderLedger
  /** Further secret names: query keys, and members (which count in forms). */
  readonly query: readonly string[]
  readonly keys: readonly string[]
}

const parts = /^([a-z][a-z0-9+.-]*:)?(\/\/[^/?#]*)?([^?#]*)(\?[^#]*)?(#.*)?$/is

export function createUrlRewriter({ rewriter, ledger, query, keys }: UrlRules): UrlRewriter {
  const ownQuery = new Set(query.map(squashName))
  const ownFields = new Set([...query, ...keys].map(squashName))
  const isSecretField = (name: string): boolean =>
    ownFields.has(squashName(name)) || isSecretQuery(name) || isSecretMember(name)
  const isSecretKey = (name: string): boolean => ownQuery.has(squashName(name)) || isSecretQuery(name)

  /** What a part of a URL says decoded: JSON in a form field, a key with an escaped letter. */
  const decodedPart = (written: string): string => {
    const value = decodeQuery(written)
    if (value === written) return written
    const rewritten = rewriter.rewrite(value, textFormOf(value, undefined))
    return rewritten === value ? written : decodePlaceholders(encodeURIComponent(rewritten))
  }
  const segment = (written: string): string => decodedPart(rewriter.rewrite(written, 'text'))
  const decodedPair = (pair: string): string => pair.split('=').map(decodedPart).join('=')

  const pairs: UrlRewriter['pairs'] = (text, place) => {
    const isSecret = place === 'form' ? isSecretField : isSecretKey
    const rewritten = text.split('&').map((pair) => {
      const equals = pair.indexOf('=')
      const name = decodeQuery(pair.slice(0, equals))
      const value = decodeQuery(pair.slice(equals + 1))
      if (equals < 0 || value === '' || isPlaceholder(value) || !isSecret(name)) return pair
      return `${pair.slice(0, equals)}=${ledger.placeholderFor(kindOfName(name), value)}`
    })
    return rewriter.rewrite(rewritten.join('&'), 'text').split('&').map(decodedPair).join('&')
  }
  return {
    isSecretField,
    pairs,
    url(url) {
      const [, scheme = '', authority = '', path = '', search = '', fragment = ''] =
        parts.exec(decodePlaceholders(url)) ?? []
      const rest = rewriter.rewrite(path, 'text').split('/').map(segment).join('/')
      return scheme + stableAuthority(authority) + rest + marked(search, pairs) + marked(fragment, pairs)
    },
  }
}

/** A query or a fragment (some servers put tokens there), its `?` or `#` in front. */
function marked(part: string, pairs: UrlRewriter['pairs']): string {
  return part === '' ? '' : part[0] + pairs(part.slice(1), 'query')
}

/** `//user:password@127.0.0.1:4321` is `//localhost`: credentials and the ports of a run are no part of a stored URL. */
function stableAuthority(authority: string): string {
  const host = authority.replace(/^\/\/(?:.*@)?/s, '')
  const name = host.replace(/:\d*$/, '')
  if (authority === '') return ''
  return `//${isLoopbackHost(name) ? 'localhost' : host}`
}
