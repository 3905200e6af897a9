/** The bytes of a request that were its stored text, as a measure for the next one. */
import { asBuffer } from '../cassette/as-buffer.ts'
import type { Json } from '../cassette/document.ts'
import { isLaidOut } from '../cassette/laid-out-json.ts'
import { AbridgedText } from './abridged-text.ts'
import { closing, type JsonPiece, mayShare, minSharedLength, piecesOf, sharedPieces } from './json-pieces.ts'

export class SentText {
  readonly value: Json
  readonly #bytes: Buffer
  /** Made where it shares some with the one before it. */
  readonly #pieces: readonly JsonPiece[] | undefined
  /** Where each piece ends in the bytes. */
  readonly #ends: readonly number[] | undefined

  #abridged: AbridgedText | undefined

  private constructor({ value, bytes, pieces, ends, abridged }: Known) {
    this.value = value
    this.#bytes = bytes
    this.#pieces = pieces
    this.#ends = ends
    this.#abridged = abridged
  }

  /** Of a request that stands alone. Undefined: the bytes are not the text of the value. */
  static first(value: Json, bytes: Uint8Array): SentText | undefined {
    const sent = asBuffer(bytes)
    if (isLaidOut(sent)) return undefined
    if (sent.length < minSharedLength) {
      return isTextOf(JSON.stringify(value), sent) ? new SentText({ value, bytes: sent }) : undefined
    }
    const abridged = AbridgedText.of(value, sent)
    return abridged && new SentText({ value, bytes: sent, abridged })
  }

  /** The canonical text of a long request that stands alone, once: it takes as much memory as the bytes. */
  takeCanonical(): Buffer | undefined {
    const abridged = this.#abridged
    this.#abridged = undefined
    return abridged?.canonical()
  }

  /** Of the request after this one: where the two share pieces, only the others are written. */
  next(value: Json, bytes: Uint8Array): SentText | undefined {
    const shares = bytes.byteLength >= minSharedLength && mayShare(value, this.value)
    return shares ? this.#next(value, asBuffer(bytes)) : SentText.first(value, bytes)
  }

  #next(value: Json, sent: Buffer): SentText | undefined {
    const pieces = piecesOf(value, 'as they stand')
    const knownPieces = this.#pieces ?? piecesOf(this.value, 'as they stand')
    const known = this.#ends ?? endsOf(knownPieces)
    const shared = sharedPieces(pieces, knownPieces) ?? { first: 0, last: 0 }
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
    const knownEnd = known[knownPieces.length - shared.last - 1] ?? 0
    const rest = shared.last === 0 ? Buffer.from(closing(pieces)) : this.#bytes.subarray(knownEnd)
    if (!rest.equals(sent.subarray(end))) return undefined
    for (const other of known.slice(knownPieces.length - shared.last)) ends.push(other - knownEnd + end)
    return new SentText({ value, bytes: sent, pieces, ends })
  }
}

interface Known {
  readonly value: Json
  readonly bytes: Buffer
  readonly pieces?: readonly JsonPiece[]
  readonly ends?: readonly number[]
  readonly abridged?: AbridgedText
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
