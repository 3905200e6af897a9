import { brotliDecompressSync, gunzipSync, inflateRawSync, inflateSync, constants as zlib } from 'node:zlib'

/** What unfolds to more is not looked into: a small file must not fill the memory. */
const maxUnpackedBytes = 16 * 1024 * 1024

/** The bytes that a gzip or zlib stream holds, also one that was cut off; undefined where the bytes are no such stream. */
export function unpack(bytes: Uint8Array): Uint8Array | undefined {
  const read = isGzip(bytes) ? gunzipSync : isZlib(bytes) ? inflateSync : undefined
  if (read === undefined) return undefined
  try {
    const unpacked = read(bytes, { finishFlush: zlib.Z_SYNC_FLUSH, maxOutputLength: maxUnpackedBytes })
    return unpacked.length === 0 ? undefined : unpacked
  } catch {
    // Bytes that only begin like a compressed stream, or one that unfolds to too much.
    return undefined
  }
}

function isGzip(bytes: Uint8Array): boolean {
  return bytes[0] === 0x1f && bytes[1] === 0x8b && bytes[2] === 0x08
}

function isZlib(bytes: Uint8Array): boolean {
  const [first = 0, second = 0] = bytes
  return bytes.length > 8 && first === 0x78 && ((first << 8) | second) % 31 === 0
}

/** F7: a body without its content encoding; the same array where there is none, or one that cannot be undone. */
export function undoContentEncoding(bytes: Uint8Array, encoding: string | undefined): Uint8Array {
  const codings = (encoding ?? '')
    .toLowerCase()
    .split(',')
    .map((coding) => coding.trim())
  let decoded = bytes
  for (const coding of codings.reverse()) {
    const decode = decoderOf(coding, decoded)
    if (decode === undefined) continue
    try {
      decoded = decode(decoded, { maxOutputLength: maxUnpackedBytes })
    } catch {
      // Not what the header says: it is stored by its hash, as other bytes that are no text.
      return bytes
    }
  }
  return decoded
}

type Decoder = (bytes: Uint8Array, options: { readonly maxOutputLength: number }) => Uint8Array

function decoderOf(coding: string, bytes: Uint8Array): Decoder | undefined {
  switch (coding) {
    case 'gzip':
    case 'x-gzip':
      return gunzipSync
    case 'br':
      return brotliDecompressSync
    case 'deflate':
      return isZlib(bytes) ? inflateSync : inflateRawSync
    default:
      return undefined
  }
}
