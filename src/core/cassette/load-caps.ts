/**
 * Caps of a file that is read (promise 5, F20): told from what stands in the file where that shows that they are kept, and
 * counted where it does not. Unfolds nothing but what may be over its cap.
 */
import type { CapName } from '../../errors/codes.ts'
import { type Caps, checkCap } from './caps.ts'
import { bodyBytes } from './decode-body.ts'
import type { Cassette, Interaction, ResponseBody } from './document.ts'
import type { PackedBody, PackedCassette, PackedInteraction } from './packed-document.ts'
import {
  chunkBytes,
  eventBytes,
  leastStreamBytes,
  mostAddedBytes,
  mostEscaped,
  mostStreamBytes,
  packedChunkCount,
  packedEventCount,
  type StreamSize,
  unfoldedBytes,
} from './packed-size.ts'
import { problem, type ShapeProblem } from './shape.ts'

export interface LoadCaps {
  /** The cassette's path, relative to the package root, for messages. */
  readonly cassette: string
  readonly caps: Caps
}

/** @throws TURNTAPE_CAP_EXCEEDED */
export function checkLoadCap({ cassette, caps }: LoadCaps, cap: CapName, found: number): void {
  checkCap({ cassette, cap, limit: caps[cap], found, when: 'loading' })
}

/** What is known of the bodies of a file before any of them is unfolded. */
export interface PackedSizes {
  readonly fileBytes: number
  /** What each body takes at most, by the index of its interaction, what it takes from elsewhere in the file apart. */
  readonly most: readonly number[]
  /** What all of them take in memory at most, beyond what stands in the file. */
  readonly unfolded: number
}

/**
 * Measures bodies as they stand in a file, which has the shape of one.
 * @throws TURNTAPE_CAP_EXCEEDED for what is surely too much.
 */
export function measureBodies({ interactions }: PackedCassette, fileBytes: number, context: LoadCaps): PackedSizes {
  const enough = context.caps.maxBodyBytes
  const most: number[] = []
  let unfolded = 0
  for (const interaction of interactions) {
    const body = bodyOf(interaction)
    if (body === undefined) {
      most.push(0)
      continue
    }
    const chunks = packedChunkCount(body)
    checkLoadCap(context, 'maxChunks', chunks)
    const added = 'events' in body ? mostAddedBytes(body) : 0
    const bytes = mostBodyBytes(body, { added, fileBytes, enough })
    most.push(bytes)
    unfolded += added + chunks * chunkBytes
    if ('events' in body) {
      unfolded += packedEventCount(body) * eventBytes
      if (bytes > enough) checkLoadCap(context, 'maxBodyBytes', leastStreamBytes(body))
    } else if (!('same' in body) && ('layout' in body || 'file' in body)) {
      checkLoadCap(context, 'maxBodyBytes', bodyBytes(body as ResponseBody))
    }
  }
  return { fileBytes, most, unfolded }
}

export interface OpenedBodies {
  readonly cassette: Cassette
  readonly packed: PackedCassette
  readonly sizes: PackedSizes
  /** About how many bytes each body takes from elsewhere in the file, by the number of its interaction. */
  readonly added: ReadonlyMap<number, number>
}

/**
 * Of bodies that can be unfolded: exact, where one may be over its cap.
 * @throws TURNTAPE_CAP_EXCEEDED
 */
export function checkOpenedBodies({ cassette, packed, sizes, added }: OpenedBodies, context: LoadCaps): void {
  const { fileBytes } = sizes
  for (const [index, most] of sizes.most.entries()) {
    const taken = (added.get(index + 1) ?? 0) * mostEscaped
    const enough = context.caps.maxBodyBytes - taken
    if (most <= enough) continue
    const folded = bodyOf(packed.interactions[index])
    if (folded === undefined) continue
    const own = 'events' in folded ? mostAddedBytes(folded) : 0
    if (mostBodyBytes(folded, { added: own, fileBytes, enough }) <= enough) continue
    checkLoadCap(context, 'maxBodyBytes', bodyBytes(bodyOf(cassette.interactions[index]) as ResponseBody))
  }
}

function mostBodyBytes(body: PackedBody, size: StreamSize): number {
  if ('events' in body) return mostStreamBytes(body, size)
  if ('file' in body) return body.bytes
  return 'layout' in body ? Number.POSITIVE_INFINITY : size.fileBytes * ('same' in body ? mostEscaped : 1)
}

/** What the streams of a cassette may take in all, and what a large file may take for each of its characters (F20). */
const maxUnfoldedBytes = 536_870_912
const maxUnfoldedTimes = 256

/** Each body keeps to its cap; two thousand of them, of a hundred bytes each, would still fill any memory. */
export function unfoldProblem(
  { interactions }: PackedCassette,
  { fileBytes, unfolded, fileLength }: PackedSizes & { readonly fileLength: number },
): ShapeProblem | undefined {
  const most = Math.max(maxUnfoldedBytes, fileLength * maxUnfoldedTimes)
  if (unfolded + fileBytes * mostEscaped <= most) return undefined
  let total = 0
  for (const [index, interaction] of interactions.entries()) {
    const body = bodyOf(interaction)
    if (body !== undefined) total += unfoldedBytes(body)
    if (total <= most) continue
    return problem(`its streams take more than ${most} bytes when they are unfolded`, ['interactions', index])
  }
  return undefined
}

function bodyOf(interaction: PackedInteraction | undefined): PackedBody | undefined
function bodyOf(interaction: Interaction | undefined): ResponseBody | undefined
function bodyOf(interaction: PackedInteraction | Interaction | undefined): PackedBody | ResponseBody | undefined {
  return interaction !== undefined && 'response' in interaction ? interaction.response?.body : undefined
}
