import type { Json } from '../core/cassette/document.ts'

/** What the strings or bytes at one place of a value say when they are read one after the other. */
export interface JoinedPlace {
  /** JSON pointer with `*` for every place in an array. */
  readonly shape: string
  readonly text: string
}

/** Of a long string only its ends can hold half of something. */
const maxPieceLength = 1024

/**
 * Strings of one place joined, whatever array they are in, and lists of bytes as text: log probabilities hold a text once
 * more in tokens and once more in numbers, and a `Buffer` in JSON is a list of its bytes.
 */
export function joinPlaces(values: readonly Json[]): JoinedPlace[] {
  const strings = new Map<string, string[]>()
  const bytes = new Map<string, number[][]>()
  const pending: { value: Json; shape: string }[] = [...values].reverse().map((value) => ({ value, shape: '' }))
  for (let item = pending.pop(); item !== undefined; item = pending.pop()) {
    const { value, shape } = item
    if (typeof value === 'string') push(strings, shape, value)
    if (typeof value !== 'object' || value === null) continue
    if (isByteList(value)) {
      push(bytes, shape, value)
      continue
    }
    const isArray = Array.isArray(value)
    const members = Object.entries(value) as [string, Json][]
    for (const [name, member] of members.reverse()) {
      pending.push({ value: member, shape: `${shape}/${isArray ? '*' : name}` })
    }
  }
  return [...joinStrings(strings), ...joinBytes(bytes)]
}

function joinStrings(strings: ReadonlyMap<string, readonly string[]>): JoinedPlace[] {
  return [...strings].flatMap(([shape, pieces]) =>
    pieces.length < 2 ? [] : [{ shape, text: pieces.map(shortened).join('') }],
  )
}

function joinBytes(bytes: ReadonlyMap<string, readonly (readonly number[])[]>): JoinedPlace[] {
  return [...bytes].map(([shape, lists]) => ({ shape, text: Buffer.from(lists.flat()).toString('utf8') }))
}

function shortened(text: string): string {
  if (text.length <= maxPieceLength) return text
  return `${text.slice(0, maxPieceLength / 2)}\u0000${text.slice(-maxPieceLength / 2)}`
}

function isByteList(value: Json): value is number[] {
  if (!Array.isArray(value) || value.length === 0) return false
  return value.every((item) => typeof item === 'number' && Number.isInteger(item) && item >= 0 && item <= 255)
}

function push<V>(map: Map<string, V[]>, key: string, value: V): void {
  const found = map.get(key)
  if (found === undefined) map.set(key, [value])
  else found.push(value)
}
