/** The headers of a message, in the forms that clients and servers of Node's give and take. */

export type HeaderPairs = readonly (readonly [name: string, value: string])[]

export type HeaderRecord = Record<string, string | string[]>

export type RawValue = string | Uint8Array | readonly Uint8Array[]

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

/** Name and value by turns, as the parser gives them; a value may be a list. */
export function pairsOfRaw(raw: readonly RawValue[]): HeaderPairs {
  const pairs: [string, string][] = []
  for (let index = 0; index + 1 < raw.length; index += 2) {
    const name = rawText(raw[index] as RawValue).toLowerCase()
    const value = raw[index + 1] as RawValue
    if (Array.isArray(value)) pairs.push(...value.map((one): [string, string] => [name, rawText(one)]))
    else pairs.push([name, rawText(value)])
  }
  return pairs
}

export function pairsOfRecord(record: HeaderRecord): HeaderPairs {
  return Object.entries(record).flatMap(([name, value]) =>
    [value].flat().map((one): [string, string] => [name.toLowerCase(), one]),
  )
}

export function recordOfPairs(pairs: HeaderPairs): HeaderRecord {
  const record: HeaderRecord = {}
  for (const [name, value] of pairs) {
    const before = record[name]
    record[name] = before === undefined ? value : [before, value].flat()
  }
  return record
}

export function rawOfPairs(pairs: HeaderPairs): Buffer[] {
  return pairs.flatMap(([name, value]) => [Buffer.from(name, 'latin1'), Buffer.from(value, 'latin1')])
}

function rawText(value: RawValue): string {
  return typeof value === 'string' ? value : Buffer.from(value as Uint8Array).toString('latin1')
}
