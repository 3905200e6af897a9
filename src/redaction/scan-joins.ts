import type { Json } from '../core/cassette/document.ts'
import { type Step, walkValues } from './walk-values.ts'

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
  for (const value of values) {
    walkValues(value, {
      string: (text, path) => push(strings, shapeOf(path), text),
      object(found, path) {
        const list = bytesIn(found)
        if (list === undefined) return 'enter'
        push(bytes, shapeOf(path), list)
        return 'pass'
      },
    })
  }
  return [...joinStrings(strings), ...joinBytes(bytes)]
}

function shapeOf(path: readonly Step[]): string {
  return path.map((step) => `/${typeof step === 'number' ? '*' : step}`).join('')
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

/** A list of bytes, or what JSON makes of a `Uint8Array`: `{"0":115,"1":107}`. */
function bytesIn(value: object): number[] | undefined {
  if (Array.isArray(value)) return value.length > 0 && value.every(isByte) ? value : undefined
  if (!('0' in value)) return undefined
  const items: unknown[] = Object.values(value)
  return items.every(isByte) && Object.keys(value).every((name, at) => name === String(at)) ? items : undefined
}

function isByte(item: unknown): item is number {
  return typeof item === 'number' && Number.isInteger(item) && item >= 0 && item <= 255
}

function push<V>(map: Map<string, V[]>, key: string, value: V): void {
  const found = map.get(key)
  if (found === undefined) map.set(key, [value])
  else found.push(value)
}
