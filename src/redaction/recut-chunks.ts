import type { Chunk } from '../core/cassette/document.ts'
import { type Replacement, replaceIn } from './replacement.ts'

export interface CutBody {
  readonly chunks: readonly Chunk[]
  /** The chunks joined and decoded, without `tail`. */
  readonly text: string
  readonly tail: Uint8Array
  readonly replacements: readonly Replacement[]
}

/**
 * The redacted body in as many chunks, each with its gap. A cut outside of what was replaced stays where it was, to the
 * byte; one inside goes to the same share of the placeholder. No chunk becomes empty unless the body has fewer bytes
 * than chunks: networks deliver no empty chunks, and byte streams refuse them.
 */
export function recutChunks({ chunks, text, tail, replacements }: CutBody): Chunk[] {
  const body = Buffer.concat([Buffer.from(replaceIn(text, replacements)), tail])
  return recutBytes({ chunks, body, shifts: byteShifts(text, replacements) })
}

/** The same where it is known which bytes became which. */
export function recutBytes(recut: {
  readonly chunks: readonly Chunk[]
  readonly body: Uint8Array
  readonly shifts: readonly ByteShift[]
}): Chunk[] {
  const { chunks, body, shifts } = recut
  const cuts = spread(cutsOf(chunks), moveCuts(cutsOf(chunks), shifts), body.length)
  return chunks.map(({ gapMs }, index) => ({
    bytes: new Uint8Array(body.subarray(index === 0 ? 0 : cuts[index - 1], cuts[index])),
    gapMs,
  }))
}

/** Where each chunk ends, in bytes. */
function cutsOf(chunks: readonly Chunk[]): number[] {
  let end = 0
  return chunks.map((chunk) => {
    end += chunk.bytes.length
    return end
  })
}

/** A replacement in bytes: of the old body, and of the new. */
export interface ByteShift {
  readonly start: number
  readonly end: number
  readonly newStart: number
  readonly newEnd: number
}

function byteShifts(text: string, replacements: readonly Replacement[]): ByteShift[] {
  let unit = 0
  let start = 0
  let newStart = 0
  return replacements.map((replacement) => {
    const kept = Buffer.byteLength(text.slice(unit, replacement.start))
    const end = start + kept + Buffer.byteLength(text.slice(replacement.start, replacement.end))
    const newEnd = newStart + kept + Buffer.byteLength(replacement.text)
    const shift = { start: start + kept, end, newStart: newStart + kept, newEnd }
    unit = replacement.end
    start = end
    newStart = newEnd
    return shift
  })
}

function moveCuts(cuts: readonly number[], shifts: readonly ByteShift[]): number[] {
  let at = 0
  return cuts.map((cut) => {
    while (at < shifts.length && (shifts[at] as ByteShift).end <= cut) at += 1
    const inside = shifts[at]
    const before = shifts[at - 1]
    if (inside === undefined || cut <= inside.start) {
      return before === undefined ? cut : before.newEnd + (cut - before.end)
    }
    const share = (cut - inside.start) / (inside.end - inside.start)
    return inside.newStart + Math.round(share * (inside.newEnd - inside.newStart))
  })
}

/** Takes a byte from a neighbour for a chunk that had some and has none left. */
function spread(old: readonly number[], moved: readonly number[], length: number): number[] {
  const cuts = [...moved]
  for (let index = 0; index < cuts.length; index += 1) {
    const least = (cuts[index - 1] ?? 0) + (hadBytes(old, index) ? 1 : 0)
    cuts[index] = Math.max(cuts[index] as number, least)
  }
  let most = length
  for (let index = cuts.length - 1; index >= 0; index -= 1) {
    cuts[index] = Math.max(0, index === cuts.length - 1 ? length : Math.min(cuts[index] as number, most))
    most = (cuts[index] as number) - (hadBytes(old, index) ? 1 : 0)
  }
  return cuts
}

function hadBytes(cuts: readonly number[], index: number): boolean {
  return (cuts[index] as number) > (cuts[index - 1] ?? 0)
}
