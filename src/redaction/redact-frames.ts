import { writeAmazonFrame } from '../core/cassette/amazon-frames.ts'
import type { Chunk } from '../core/cassette/document.ts'
import { type FrameText, frameTexts, joinedFrameTexts } from './frame-texts.ts'
import { type ByteShift, recutBytes } from './recut-chunks.ts'
import { type Replacement, replaceIn } from './replacement.ts'
import type { TextRewriter } from './text-rewriter.ts'

/**
 * The chunks of an AWS event stream, redacted as any stream is: also what is cut over several of its events. Every frame
 * that was changed gets the lengths and CRCs of what it says now. Undefined: no such stream. The same array where nothing
 * was found.
 */
export function redactFrames(chunks: readonly Chunk[], rewriter: TextRewriter): readonly Chunk[] | undefined {
  const bytes = Buffer.concat(chunks.map((chunk) => chunk.bytes))
  const frames = frameTexts(bytes)
  if (frames.length === 0) return undefined
  const replacements = rewriter.streamReplacements(joinedFrameTexts(frames), 'json')
  if (replacements.length === 0) return chunks
  const pieces: Uint8Array[] = []
  const shifts: ByteShift[] = []
  let done = 0
  let moved = 0
  for (const { frame, start, text, payloadOf, own } of withReplacements(frames, replacements)) {
    if (own.length === 0) continue
    const written = writeAmazonFrame(frame, payloadOf(replaceIn(text, own)))
    const end = start + frame.length
    pieces.push(bytes.subarray(done, start), written)
    shifts.push({ start, end, newStart: start + moved, newEnd: start + moved + written.length })
    moved += written.length - frame.length
    done = end
  }
  pieces.push(bytes.subarray(done))
  return recutBytes({ chunks, body: Buffer.concat(pieces), shifts })
}

/** Each frame with what is to be replaced in its own text. What would go over a border is replaced where it begins. */
function* withReplacements(
  frames: readonly FrameText[],
  replacements: readonly Replacement[],
): Generator<FrameText & { readonly own: readonly Replacement[] }> {
  let start = 0
  let at = 0
  for (const frame of frames) {
    const end = start + frame.text.length
    const own: Replacement[] = []
    for (let next = replacements[at]; next !== undefined && next.start < end; next = replacements[at]) {
      const isBegun = next.start < start
      own.push({
        start: isBegun ? 0 : next.start - start,
        end: Math.min(next.end, end) - start,
        text: isBegun ? '' : next.text,
      })
      if (next.end > end) break
      at += 1
    }
    yield { ...frame, own }
    start = end + 1
  }
}
