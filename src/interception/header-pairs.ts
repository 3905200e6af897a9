import type { HeaderPairs } from './dispatch-protocol.ts'

/** From a flat list, pairs (Headers, Map, entries) or a record; values may be lists. Names come out in lower case. */
export function headerPairs(headers: unknown): HeaderPairs {
  if (headers === undefined || headers === null) return []
  const entries = Array.isArray(headers) && !Array.isArray(headers[0]) ? pairUp(headers) : entriesOf(headers)
  return entries
    .filter(([, value]) => value !== undefined && value !== null)
    .flatMap(([name, value]) =>
      [value].flat().map((one): [string, string] => [String(name).toLowerCase(), String(one)]),
    )
}

function pairUp(flat: readonly unknown[]): [unknown, unknown][] {
  return Array.from({ length: flat.length >> 1 }, (_, index) => [flat[2 * index], flat[2 * index + 1]])
}

function entriesOf(headers: object): [unknown, unknown][] {
  return Symbol.iterator in headers ? [...(headers as Iterable<[unknown, unknown]>)] : Object.entries(headers)
}
