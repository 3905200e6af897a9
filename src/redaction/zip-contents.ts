import { asBuffer } from '../core/cassette/as-buffer.ts'
import { inflateEntry, type UnpackBudget } from './decompress.ts'

const signature = Buffer.from('PK\u0003\u0004', 'latin1')
const headLength = 30
const deflated = 8

/**
 * The deflated entries of a zip, as they come: one that was cut off, and one without a directory, are read too. Entries
 * that are stored as they are need no reader. XML comes once more without its tags: Word cuts a word over several.
 */
export function* zipContents(bytes: Uint8Array, budget: UnpackBudget): Generator<Uint8Array> {
  if (bytes.length <= headLength) return
  const zip = asBuffer(bytes)
  for (let at = zip.indexOf(signature); at >= 0; at = zip.indexOf(signature, at + signature.length)) {
    if (at + headLength > zip.length) return
    if (zip.readUInt16LE(at + 8) !== deflated) continue
    const start = at + headLength + zip.readUInt16LE(at + 26) + zip.readUInt16LE(at + 28)
    const entry = inflateEntry(zip.subarray(start), budget)
    if (entry === undefined) continue
    yield entry
    if (isXml(entry))
      yield Buffer.from(
        Buffer.from(entry)
          .toString('latin1')
          .replace(/<[^<>]*>/g, ''),
        'latin1',
      )
  }
}

/** Some begin with a byte order mark. */
function isXml(entry: Uint8Array): boolean {
  return Buffer.from(entry.subarray(0, 8)).toString('latin1').includes('<?xml')
}
