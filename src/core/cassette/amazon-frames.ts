/**
 * The binary framing of AWS event streams (`application/vnd.amazon.eventstream`): each frame is a prelude (its length, the
 * length of its headers, a CRC), headers, a payload and a CRC over all of it. Knows bytes; what an event says, others know.
 * https://docs.aws.amazon.com/AmazonS3/latest/API/RESTSelectObjectAppendix.html
 */
import { crc32 } from 'node:zlib'

export interface AmazonFrame {
  /** The headers as sent, so that a frame can be written again without understanding all of them. */
  readonly headerBytes: Uint8Array
  /** Those whose value is a text: `:message-type`, `:event-type`, `:exception-type`, `:content-type`. */
  readonly headers: ReadonlyMap<string, string>
  readonly payload: Uint8Array
  /** Of the whole frame, in bytes. */
  readonly length: number
}

const preludeLength = 12
const trailerLength = 4
/** What AWS's own readers take at most. */
const maxFrameLength = 24 * 1024 * 1024

/** Takes frames out of bytes that come in pieces: any cut gives the same frames. */
export class AmazonFrameReader {
  #pieces: Uint8Array[] = []
  #length = 0
  /** Fewer bytes than this hold no frame: they are kept as they came. */
  #needed = preludeLength
  #isBroken = false

  /** The frames that are whole now. After bytes that are no frame (a wrong length or CRC) none come any more. */
  push(bytes: Uint8Array): readonly AmazonFrame[] {
    this.#pieces.push(bytes)
    this.#length += bytes.length
    return this.#isBroken || this.#length < this.#needed ? [] : this.#take(this.rest)
  }

  /** What has come and is in no frame: one that was cut, or what is none. */
  get rest(): Uint8Array {
    return this.#pieces.length === 1 ? (this.#pieces[0] as Uint8Array) : Buffer.concat(this.#pieces)
  }

  #take(bytes: Uint8Array): readonly AmazonFrame[] {
    const frames: AmazonFrame[] = []
    let start = 0
    let next = frameAt(bytes, start)
    while (typeof next === 'object' && 'payload' in next) {
      frames.push(next)
      start += next.length
      next = frameAt(bytes, start)
    }
    if (next === 'broken') this.#isBroken = true
    else this.#needed = next.needed
    this.#pieces = [bytes.subarray(start)]
    this.#length = bytes.length - start
    return frames
  }
}

/** True where bytes begin as a frame does; false as well where there are too few to tell. */
export function beginsWithAmazonFrame(bytes: Uint8Array): boolean {
  return bytes.length >= preludeLength && preludeAt(bytes, 0) !== undefined
}

/** A frame with the same headers and another payload, its lengths and CRCs agreeing. */
export function writeAmazonFrame({ headerBytes }: AmazonFrame, payload: Uint8Array): Uint8Array {
  const length = preludeLength + headerBytes.length + payload.length + trailerLength
  const bytes = new Uint8Array(length)
  const view = new DataView(bytes.buffer)
  view.setUint32(0, length)
  view.setUint32(4, headerBytes.length)
  view.setUint32(8, crc32(bytes.subarray(0, 8)))
  bytes.set(headerBytes, preludeLength)
  bytes.set(payload, preludeLength + headerBytes.length)
  view.setUint32(length - trailerLength, crc32(bytes.subarray(0, length - trailerLength)))
  return bytes
}

interface Prelude {
  readonly length: number
  readonly headersLength: number
}

function preludeAt(bytes: Uint8Array, start: number): Prelude | undefined {
  const view = viewOf(bytes)
  const length = view.getUint32(start)
  const headersLength = view.getUint32(start + 4)
  const fits = length <= maxFrameLength && preludeLength + headersLength + trailerLength <= length
  const isWhole = view.getUint32(start + 8) === crc32(bytes.subarray(start, start + 8))
  return fits && isWhole ? { length, headersLength } : undefined
}

/** `needed`: how many bytes there must be for a frame. */
function frameAt(bytes: Uint8Array, start: number): AmazonFrame | { readonly needed: number } | 'broken' {
  const there = bytes.length - start
  if (there < preludeLength) return { needed: preludeLength }
  const prelude = preludeAt(bytes, start)
  if (prelude === undefined) return 'broken'
  const { length, headersLength } = prelude
  if (there < length) return { needed: length }
  const payloadEnd = start + length - trailerLength
  if (viewOf(bytes).getUint32(payloadEnd) !== crc32(bytes.subarray(start, payloadEnd))) return 'broken'
  const payloadStart = start + preludeLength + headersLength
  const headerBytes = bytes.subarray(start + preludeLength, payloadStart)
  return { headerBytes, headers: readHeaders(headerBytes), payload: bytes.subarray(payloadStart, payloadEnd), length }
}

const stringType = 7

/** Bytes of a value by its type: booleans, integers, a time, a UUID; undefined for the two that say their length. */
const fixedSizes: readonly (number | undefined)[] = [0, 0, 1, 2, 4, 8, undefined, undefined, 8, 16]

/** As far as they can be read; a type that we do not know ends it. */
function readHeaders(bytes: Uint8Array): ReadonlyMap<string, string> {
  const headers = new Map<string, string>()
  const view = viewOf(bytes)
  const decoder = new TextDecoder()
  let at = 0
  while (at < bytes.length) {
    const nameEnd = at + 1 + (bytes[at] as number)
    const type = bytes[nameEnd]
    if (type === undefined || type >= fixedSizes.length) break
    const fixed = fixedSizes[type]
    const start = nameEnd + (fixed === undefined ? 3 : 1)
    if (start > bytes.length) break
    const end = start + (fixed ?? view.getUint16(nameEnd + 1))
    if (end > bytes.length) break
    if (type === stringType)
      headers.set(decoder.decode(bytes.subarray(at + 1, nameEnd)), decoder.decode(bytes.subarray(start, end)))
    at = end
  }
  return headers
}

function viewOf(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
}
