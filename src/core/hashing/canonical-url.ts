/** Which URLs are the same, promise 4. */
import { isLoopbackHost } from './is-loopback-host.ts'

/**
 * The URL as it counts: scheme and host in lower case, default port dropped, every loopback host `localhost` without
 * port, no credentials, no fragment, query parameters sorted by name and then by value, so that their order, also that
 * of a repeated name, does not count. Percent-encoding is compared as written. A text that is no URL comes back as it is.
 */
export function canonicalUrl(url: string): string {
  if (!URL.canParse(url)) return url
  const parsed = new URL(url)
  const host = isLoopbackHost(parsed.hostname) ? 'localhost' : parsed.host
  const query = sortedQuery(parsed.search.slice(1))
  return `${parsed.protocol}//${host}${parsed.pathname}${query === '' ? '' : `?${query}`}`
}

function sortedQuery(query: string): string {
  return query
    .split('&')
    .filter((parameter) => parameter !== '')
    .map((parameter) => ({ parameter, name: parameter.split('=', 1)[0] ?? '' }))
    .sort((a, b) => compareText(a.name, b.name) || compareText(a.parameter, b.parameter))
    .map(({ parameter }) => parameter)
    .join('&')
}

/** By UTF-16 units, never by locale. */
function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}
