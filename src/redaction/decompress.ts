import zlib, { brotliDecompressSync, constants, gunzipSync, inflateRawSync, inflateSync } from 'node:zlib'

/** What unfolds to more is not looked into: a small file must not fill the memory. */
export const maxUnpackedBytes = 16 * 1024 * 1024

interface Limit {
  readonly maxOutputLength: number
}

type Decompress = (bytes: Uint8Array, limit: Limit) => Uint8Array

/** Undefined where this Node has none: before 22.15. */
export const zstdDecompress = (zlib as { readonly zstdDecompressSync?: Decompress }).zstdDecompressSync

/**
 * How much one look at a document may unpack. What tells by its first bytes what it is does not share with what is only
 * tried: there are many of these, and nearly all of them are nothing.
 */
export interface UnpackBudget {
  readonly known: Share
  readonly tried: Share
}

interface Share {
  bytes: number
  streams: number
}

export function createUnpackBudget(): UnpackBudget {
  return {
    known: { bytes: 2 * maxUnpackedBytes, streams: 16_384 },
    tried: { bytes: maxUnpackedBytes, streams: 4096 },
  }
}

/** A gzip, zlib or zstd stream, also one that was cut off; undefined where the bytes are none. */
export function decompressKnown(bytes: Uint8Array, { known }: UnpackBudget): Uint8Array | undefined {
  const cutOff = { finishFlush: constants.Z_SYNC_FLUSH }
  if (isGzip(bytes)) return attempt(known, (limit) => gunzipSync(bytes, { ...cutOff, ...limit }))
  if (isZlib(bytes)) return attempt(known, (limit) => inflateSync(bytes, { ...cutOff, ...limit }))
  if (isZstd(bytes) && zstdDecompress !== undefined) {
    const decompress = zstdDecompress
    return attempt(known, (limit) => decompress(bytes, limit))
  }
  return undefined
}

/** A deflate stream without a head, as zip has it. What stands behind its end does not count. */
export function inflateEntry(bytes: Uint8Array, { known }: UnpackBudget): Uint8Array | undefined {
  return attempt(known, (limit) => inflateRawSync(bytes, { finishFlush: constants.Z_SYNC_FLUSH, ...limit }))
}

/** Brotli and bare deflate have no first bytes that tell them: they must be whole, and nothing else than that. */
export function decompressTried(bytes: Uint8Array, { tried }: UnpackBudget): Uint8Array | undefined {
  return (
    attempt(tried, (limit) => brotliDecompressSync(bytes, limit)) ??
    attempt(tried, (limit) => inflateRawSync(bytes, limit))
  )
}

function attempt(share: Share, decompress: (limit: Limit) => Uint8Array): Uint8Array | undefined {
  if (share.streams === 0 || share.bytes === 0) return undefined
  share.streams -= 1
  const limit = Math.min(share.bytes, maxUnpackedBytes)
  try {
    const unpacked = decompress({ maxOutputLength: limit })
    share.bytes -= unpacked.length
    return unpacked.length === 0 ? undefined : unpacked
  } catch (error) {
    // Bytes that only begin like a compressed stream; or one that unfolds to too much, which has cost as much.
    if ((error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE') share.bytes -= limit
    return undefined
  }
}

function isGzip(bytes: Uint8Array): boolean {
  return bytes[0] === 0x1f && bytes[1] === 0x8b && bytes[2] === 0x08
}

/** RFC 1950, with a window of any size. */
export function isZlib(bytes: Uint8Array): boolean {
  const [first = 0, second = 0] = bytes
  return bytes.length > 8 && (first & 0x8f) === 0x08 && ((first << 8) | second) % 31 === 0 && (second & 0x20) === 0
}

function isZstd(bytes: Uint8Array): boolean {
  return bytes[0] === 0x28 && bytes[1] === 0xb5 && bytes[2] === 0x2f && bytes[3] === 0xfd
}
