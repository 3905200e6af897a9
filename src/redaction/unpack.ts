import { decompressKnown, decompressTried, type UnpackBudget } from './decompress.ts'
import { frameContents } from './frame-contents.ts'
import { pdfContents } from './pdf-contents.ts'
import { zipContents } from './zip-contents.ts'

/** In fewer, nothing that the scan looks for has room. */
const minPackedBytes = 12

/**
 * What bytes hold that are packed: a compressed stream, the entries of a zip, the streams of a PDF, the events of AWS frames. Nothing where they are
 * none of these, or where the budget is spent. Bytes that are no text are tried as brotli and as bare deflate, too.
 */
export function unpack(bytes: Uint8Array, isText: boolean, budget: UnpackBudget): readonly Uint8Array[] {
  if (bytes.length < minPackedBytes) return []
  const stream = decompressKnown(bytes, budget)
  if (stream !== undefined) return [stream]
  const held = [...zipContents(bytes, budget), ...pdfContents(bytes, budget), ...frameContents(bytes)]
  if (held.length > 0 || isText) return held
  const tried = decompressTried(bytes, budget)
  return tried === undefined ? [] : [tried]
}
