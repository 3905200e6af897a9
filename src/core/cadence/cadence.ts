/**
 * Cadence: how replayed chunks are spaced in time. From recorded gaps to when a replay is to give each chunk, and what was
 * taken off them; a pure plan. It reads no clock and sets no timer (`replaying/pace.ts` does), and knows no streams.
 */

/**
 * `instant` (default): every chunk as soon as it is asked for, each by itself. `recorded`: as far apart as they came, with
 * the bounds below. An object: the same with bounds of one's own.
 */
export type Cadence = 'instant' | 'recorded' | CadenceBounds

export interface CadenceBounds {
  /** Milliseconds. A shorter gap is raised to it. Default 0; a negative one counts as 0. */
  readonly minGapMs?: number
  /** Milliseconds. A longer gap is cut to it, a floor above it too. Default 2,000; `Infinity` keeps all. */
  readonly maxGapMs?: number
  /** How many times as fast, once the bounds are applied: 2 halves every wait. Over 0; default 1. */
  readonly speed?: number
}

/** Bounds of recorded time, then the speed. Undefined stands for `instant`. */
export type ResolvedCadence = Required<CadenceBounds> | undefined

export function resolveCadence(cadence: Cadence): ResolvedCadence {
  if (cadence === 'instant') return undefined
  const { minGapMs = 0, maxGapMs = 2000, speed = 1 } = cadence === 'recorded' ? {} : cadence
  return { minGapMs: Math.max(0, minGapMs), maxGapMs, speed }
}

/** True for what `Cadence` allows. */
export function isCadence(value: unknown): boolean {
  if (value === 'instant' || value === 'recorded') return true
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false
  return Object.entries(value).every(([name, bound]) => bound === undefined || isBound(name, bound))
}

function isBound(name: string, bound: unknown): boolean {
  if (typeof bound !== 'number' || Number.isNaN(bound)) return false
  switch (name) {
    case 'minGapMs':
      return Number.isFinite(bound)
    case 'maxGapMs':
      return bound >= 0
    case 'speed':
      return bound > 0 && Number.isFinite(bound)
    default:
      return false
  }
}

/** What a cadence took off, counted in recorded time. A gap that the floor raised is no part of it. */
export interface Compression {
  readonly compressedGaps: number
  readonly compressedMs: number
}

/** How far a plan has come. */
export interface CadencePosition extends Compression {
  /** When the chunk is due, in milliseconds since the first gap began; may be a fraction. */
  readonly dueMs: number
}

export const cadenceStart: CadencePosition = { dueMs: 0, compressedGaps: 0, compressedMs: 0 }

/** The next chunk's place: floor first, ceiling second, so that the ceiling wins. A missing or negative gap is 0. */
export function nextDue(
  { dueMs, compressedGaps, compressedMs }: CadencePosition,
  { gapMs, cadence }: { readonly gapMs: number | undefined; readonly cadence: NonNullable<ResolvedCadence> },
): CadencePosition {
  const recordedMs = gapMs !== undefined && gapMs > 0 ? gapMs : 0
  const boundedMs = Math.min(Math.max(recordedMs, cadence.minGapMs), cadence.maxGapMs)
  const removedMs = Math.max(0, recordedMs - cadence.maxGapMs)
  return {
    dueMs: dueMs + boundedMs / cadence.speed,
    compressedGaps: compressedGaps + (removedMs > 0 ? 1 : 0),
    compressedMs: compressedMs + removedMs,
  }
}
