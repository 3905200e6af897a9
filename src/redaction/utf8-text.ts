import { utf8Of } from '../core/cassette/stored-text.ts'

/** The text of bytes, without losing any: what no UTF-8 text gives back is not decoded. */
export interface DecodedText {
  readonly text: string
  /** The bytes of an unfinished last letter: a body that broke off may end inside one. */
  readonly tail: Uint8Array
}

/** Undefined where the bytes are no UTF-8 text. */
export function decodeUtf8(bytes: Uint8Array): DecodedText | undefined {
  const end = bytes.length - unfinishedLength(bytes)
  const text = utf8Of(bytes.subarray(0, end))
  return text === undefined ? undefined : { text, tail: bytes.subarray(end) }
}

/** How many of the last bytes begin a letter that they do not finish: 0 to 3. */
function unfinishedLength(bytes: Uint8Array): number {
  for (let back = 1; back <= Math.min(3, bytes.length); back += 1) {
    const byte = bytes[bytes.length - back] as number
    if (byte < 0x80) return 0
    if (byte >= 0xc0) return back < letterLength(byte) ? back : 0
  }
  return 0
}

function letterLength(lead: number): number {
  return lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : 2
}
