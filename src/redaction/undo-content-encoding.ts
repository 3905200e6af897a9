import { brotliDecompressSync, gunzipSync, inflateRawSync, inflateSync } from 'node:zlib'
import { isZlib, maxUnpackedBytes, zstdDecompress } from './decompress.ts'

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
    case 'zstd':
      return zstdDecompress
    case 'deflate':
      return isZlib(bytes) ? inflateSync : inflateRawSync
    default:
      return undefined
  }
}
