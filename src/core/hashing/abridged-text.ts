/**
 * The bytes that came for a stored value, to be compared with its text and then hashed in canonical order. Long strings are most
 * of such a text: each is written once, compared where it stands in the bytes, and taken from there. Owns no rule of how a value is
 * written; takes values of an opened cassette, whose depth is bounded, and bytes that nobody changes.
 */
import type { Json } from '../cassette/document.ts'
import { canonicalJson } from './canonical-json.ts'

interface Place {
  readonly start: number
  readonly end: number
}

export class AbridgedText {
  readonly #value: Json
  readonly #bytes: Buffer
  /** The value with marks in place of its long strings. */
  readonly #short: Json
  readonly #long: string[] = []
  /** Where each long string stands in the bytes. */
  readonly #places: Place[] = []
  /** For what is written: in either order so many bytes, and as many as a letter has, so that what is cut off is seen. */
  readonly #room: Buffer

  private constructor(value: Json, bytes: Buffer) {
    this.#value = value
    this.#bytes = bytes
    this.#short = abridged(value, this.#long)
    this.#room = Buffer.allocUnsafe(bytes.length + 4)
  }

  /** Undefined where the bytes are not what `JSON.stringify` writes of the value, in UTF-8. */
  static of(value: Json, bytes: Buffer): AbridgedText | undefined {
    const text = new AbridgedText(value, bytes)
    return text.#isWritten() ? text : undefined
  }

  /** The canonical text. */
  canonical(): Buffer {
    const parts = this.#parts(canonicalJson)
    let end = 0
    for (let at = 0; at < parts.length; at += 1) {
      const part = parts[at] as string
      const place = at % 2 === 1 ? (this.#places[Number(part)] as Place) : undefined
      end += place ? this.#bytes.copy(this.#room, end, place.start, place.end) : this.#room.write(part, end)
    }
    return this.#room.subarray(0, end)
  }

  #isWritten(): boolean {
    const parts = this.#parts(JSON.stringify)
    let start = 0
    for (let at = 0; at < parts.length; at += 1) {
      const part = parts[at] as string
      const isLong = at % 2 === 1
      const length = this.#room.write(isLong ? JSON.stringify(this.#long[Number(part)]) : part)
      const end = start + length
      if (end > this.#bytes.length || this.#room.compare(this.#bytes, start, end, 0, length) !== 0) return false
      if (isLong) this.#places[Number(part)] = { start, end }
      start = end
    }
    return start === this.#bytes.length
  }

  /** What `write` makes of the value: text, the number of a long string, text, and so on. */
  #parts(write: (value: Json) => string): readonly string[] {
    const parts = write(this.#short).split(mark)
    // Otherwise one of the short strings looks like a mark.
    return parts.length === 2 * this.#long.length + 1 ? parts : [write(this.#value)]
  }
}

/** As it stands in a text, with the number of its string. */
const mark = /"\\u0001(\d+)"/

const minLongLength = 100

/** The same value where it has no long string. */
function abridged(value: Json, long: string[]): Json {
  if (typeof value === 'string') return value.length < minLongLength ? value : `\u0001${long.push(value) - 1}`
  if (typeof value !== 'object' || value === null) return value
  return Array.isArray(value) ? abridgedItems(value, long) : abridgedMembers(value as JsonObject, long)
}

type JsonObject = { readonly [name: string]: Json }

function abridgedItems(items: readonly Json[], long: string[]): Json {
  let copy: Json[] | undefined
  for (let index = 0; index < items.length; index += 1) {
    const item = items[index] as Json
    if (typeof item === 'string' && item.length < minLongLength) continue
    const short = abridged(item, long)
    if (short === item) continue
    copy ??= [...items]
    copy[index] = short
  }
  return copy ?? items
}

function abridgedMembers(members: JsonObject, long: string[]): Json {
  let copy: Record<string, Json> | undefined
  for (const name of Object.keys(members)) {
    const item = members[name] as Json
    if (typeof item === 'string' && item.length < minLongLength) continue
    const short = abridged(item, long)
    if (short === item) continue
    copy ??= { ...members }
    copy[name] = short
  }
  return copy ?? members
}
