/**
 * The stored requests of one lane, one after another. In an agent's loop each is the one before and some more (F11): what they
 * share is compared as bytes, and neither written nor hashed again. Owns no rule of identity: its answers are those of
 * `JSON.stringify` and `hashRequest`. Knows nothing of lanes and calls, and takes requests of one opened cassette only.
 */
import { contentHash } from '../cassette/content-hash.ts'
import type { HttpRequest, Json } from '../cassette/document.ts'
import { canonicalJson } from './canonical-json.ts'
import {
  closing,
  endsArray,
  type JsonPiece,
  maxWholeLength,
  mayShare,
  minSharedLength,
  piecesOf,
  sharedPieces,
} from './json-pieces.ts'
import { type AroundJson, aroundJson, hashInPieces, hashRequest } from './request-hash.ts'
import { SentText } from './sent-text.ts'
import { TextHash } from './text-hash.ts'

/** The hash after so many pieces. */
interface Checkpoint {
  readonly count: number
  readonly hash: TextHash
}

/** A request that was hashed. */
interface HashedText {
  readonly value: Json
  /** Ascending: where arrays ended, in this request and in those before it that it still begins like. */
  readonly checkpoints: readonly Checkpoint[]
  /** Its pieces in canonical order, where a request before it shared some. */
  readonly pieces?: readonly JsonPiece[]
  /** The text of the last pieces where they had stayed: tools are long, and stand behind the messages. */
  readonly tail?: { readonly count: number; readonly text: string }
}

/** A loop that rewrites its last messages goes on from one of these. */
const maxCheckpoints = 8

export class GrowingRequest {
  #sent: SentText | undefined
  /** The value that was compared last, and about how long its text is. */
  #compared: { readonly value: Json; readonly length: number } | undefined
  #hashed: HashedText | undefined
  #around: { readonly key: string; readonly texts: AroundJson } | undefined

  /** True where the bytes are what `JSON.stringify` writes of the value, in UTF-8. They are kept: nobody changes them afterwards. */
  isText(value: Json, bytes: Uint8Array): boolean {
    this.#compared = { value, length: bytes.byteLength }
    const sent = this.#sent === undefined ? SentText.first(value, bytes) : this.#sent.next(value, bytes)
    if (sent !== undefined) this.#sent = sent
    return sent !== undefined
  }

  /** The same as `hashRequest`. */
  hash(request: HttpRequest): string {
    const { body } = request
    if (body === undefined || !('json' in body)) return hashRequest(request)
    const length = this.#compared?.value === body.json ? this.#compared.length : Number.POSITIVE_INFINITY
    const known = this.#hashed
    if (length >= minSharedLength && known !== undefined && mayShare(body.json, known.value))
      return this.#hashNext(request, body.json, known)
    this.#hashed = { value: body.json, checkpoints: [] }
    const { before, after } = this.#aroundJson(request)
    const canonical = this.#sent?.value === body.json ? this.#sent.takeCanonical() : undefined
    if (canonical !== undefined) return new TextHash().add(before).addBytes(canonical).add(after).digest()
    return length <= maxWholeLength
      ? contentHash(before + canonicalJson(body.json) + after)
      : hashInPieces(body.json, { before, after })
  }

  /** Goes on from what was hashed, where it begins like that. */
  #hashNext(request: HttpRequest, value: Json, known: HashedText): string {
    const pieces = piecesOf(value, 'sorted')
    const knownPieces = known.pieces ?? piecesOf(known.value, 'sorted')
    const { first, last } = sharedPieces(pieces, knownPieces) ?? { first: 0, last: 0 }
    const checkpoints = known.checkpoints.filter(({ count }) => count <= first)
    const { before, after } = this.#aroundJson(request)
    const start = checkpoints.at(-1)
    const hash = start?.hash.copy() ?? new TextHash().add(before)
    for (let at = start?.count ?? 0; at < pieces.length - last; at += 1) {
      const { before, value } = pieces[at] as JsonPiece
      hash.add(before + canonicalJson(value))
      if (endsArray(pieces, at + 1)) checkpoints.push({ count: at + 1, hash: hash.copy() })
    }
    const tail = known.tail?.count === last ? known.tail.text : canonicalPieces(pieces.slice(pieces.length - last))
    this.#hashed = { value, pieces, checkpoints: checkpoints.slice(-maxCheckpoints), tail: { count: last, text: tail } }
    return hash.add(tail + closing(pieces) + after).digest()
  }

  /** The calls of a lane go to few places: reading the URL takes longer than hashing a short request. */
  #aroundJson(request: HttpRequest): AroundJson {
    const { method, url, headers } = request
    const key = JSON.stringify([method, url, headers])
    if (this.#around?.key !== key) this.#around = { key, texts: aroundJson(request) }
    return this.#around.texts
  }
}

function canonicalPieces(pieces: readonly JsonPiece[]): string {
  return pieces.map(({ before, value }) => before + canonicalJson(value)).join('')
}
