/** The text of bytes, without losing any: what no UTF-8 text gives back is not decoded. */
export interface DecodedText {
  readonly text: string
  /** The bytes of an unfinished last letter: a body that broke off may end inside one. */
  readonly tail: Uint8Array
}

const strict = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** Undefined where the bytes are no UTF-8 text. */
export function decodeUtf8(bytes: Uint8Array): DecodedText | undefined {
  const whole = bytes.length - unfinishedLength(bytes)
  try {
    return { text: strict.decode(bytes.subarray(0, whole)), tail: bytes.subarray(whole) }
  } catch {
    // A decoder can only say "not UTF-8" by throwing.
    return undefined
  }
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
