/** The bytes of a request that were its stored text, as a measure for the next one. */
import type { Json } from '../cassette/document.ts'
import { closing, type JsonPiece, maxWholeLength, type SharedPieces } from './json-pieces.ts'

export class SentText {
  readonly pieces: readonly JsonPiece[]
  readonly #bytes: Buffer
  /** Where each piece ends in the bytes; not known before a second request shares some. */
  #ends: readonly number[] | undefined

  private constructor(pieces: readonly JsonPiece[], bytes: Buffer, ends?: readonly number[]) {
    this.pieces = pieces
    this.#bytes = bytes
    this.#ends = ends
  }

  /** Of a request that shares nothing with the one before. Undefined: the bytes are not the text of the value. */
  static first(value: Json, { pieces, bytes }: Omit<Next, 'shared'>): SentText | undefined {
    const sent = asBuffer(bytes)
    if (sent.length > maxWholeLength) return SentText.#nothing.next({ pieces, shared: { first: 0, last: 0 }, bytes })
    return isTextOf(JSON.stringify(value), sent) ? new SentText(pieces, sent) : undefined
  }

  static readonly #nothing = new SentText([], Buffer.alloc(0), [])

  /** The text of a value that shares pieces with this one: only the others are written. Undefined: the bytes are not it. */
  next({ pieces, shared, bytes }: Next): SentText | undefined {
    const sent = asBuffer(bytes)
    this.#ends ??= endsOf(this.pieces)
    const known = this.#ends
    const ends = known.slice(0, shared.first)
    let end = ends.at(-1) ?? 0
    if (!this.#bytes.subarray(0, end).equals(sent.subarray(0, end))) return undefined
    const middleEnd = pieces.length - shared.last
    for (const { before, value } of pieces.slice(shared.first, middleEnd)) {
      const text = Buffer.from(before + JSON.stringify(value))
      if (!text.equals(sent.subarray(end, end + text.length))) return undefined
      end += text.length
      ends.push(end)
    }
    const knownEnd = known[this.pieces.length - shared.last - 1] ?? 0
    const rest = shared.last === 0 ? Buffer.from(closing(pieces)) : this.#bytes.subarray(knownEnd)
    if (!rest.equals(sent.subarray(end))) return undefined
    for (const other of known.slice(this.pieces.length - shared.last)) ends.push(other - knownEnd + end)
    return new SentText(pieces, sent, ends)
  }
}

/** Decoded, which is quicker than to encode the text. A replacement character may stand for bytes that are no UTF-8. */
function isTextOf(text: string, bytes: Buffer): boolean {
  if (bytes.length < text.length || bytes.toString() !== text) return false
  return !text.includes('\ufffd') || Buffer.from(text).equals(bytes)
}

function endsOf(pieces: readonly JsonPiece[]): readonly number[] {
  let end = 0
  return pieces.map(({ before, value }) => {
    end += Buffer.byteLength(before) + Buffer.byteLength(JSON.stringify(value))
    return end
  })
}

interface Next {
  readonly pieces: readonly JsonPiece[]
  readonly shared: SharedPieces
  readonly bytes: Uint8Array
}

function asBuffer(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
}
