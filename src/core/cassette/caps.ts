/** Caps: upper bounds that refuse, promise 5. Exactly at a cap is fine, one over is not; nothing is ever shortened to fit. */
import type { CapName } from '../../errors/codes.ts'
import { ReplayError } from '../../errors/replay-error.ts'

/** Upper bounds: bytes for the first two, counts for the others (chunks: of one response; blocks: of one turn). */
export interface Caps {
  readonly maxCassetteBytes: number
  readonly maxBodyBytes: number
  readonly maxInteractions: number
  readonly maxChunks: number
  readonly maxBlocks: number
}

export const defaultCaps: Caps = {
  maxCassetteBytes: 8 * 1024 * 1024,
  maxBodyBytes: 16 * 1024 * 1024,
  maxInteractions: 2000,
  maxChunks: 65_536,
  maxBlocks: 4096,
}

const capNames = Object.keys(defaultCaps) as readonly CapName[]

/** The share of a cap from which on it is reported as near. */
const nearShare = 0.9

/** How full the caps are: the largest count seen for each, the limits, and the first cap at 0.9 of its limit or more. */
export interface CapUsage {
  readonly used: Caps
  readonly limits: Caps
  readonly nearCap: CapName | undefined
}

export function capUsage(used: Caps, limits: Caps): CapUsage {
  const nearCap = capNames.find((cap) => used[cap] >= limits[cap] * nearShare)
  return { used, limits, nearCap }
}

/**
 * The limits of a run: the given ones, the defaults for the rest.
 * @throws TURNTAPE_INVALID_OPTION for a name that is no cap, or a value that is no positive integer.
 */
export function resolveCaps(given: Partial<Caps> | undefined): Caps {
  const resolved: Record<CapName, number> = { ...defaultCaps }
  for (const [name, value] of Object.entries(given ?? {})) {
    if (value === undefined) continue
    if (!isCapName(name)) throw invalidOption(`caps.${name}`, String(value), `one of ${capNames.join(', ')}`)
    if (!Number.isSafeInteger(value) || value < 1)
      throw invalidOption(`caps.${name}`, String(value), 'a positive integer')
    resolved[name] = value
  }
  return resolved
}

export interface CapCheck {
  /** The cassette's path, relative to the package root. */
  readonly cassette: string
  readonly cap: CapName
  readonly limit: number
  readonly found: number
  readonly when: 'recording' | 'loading'
  /** True: counting stopped at `found`, there may be more. */
  readonly atLeast?: boolean
}

/** @throws TURNTAPE_CAP_EXCEEDED when `found` is over `limit`; exactly at it is fine. */
export function checkCap({ cassette, cap, limit, found, when, atLeast = false }: CapCheck): void {
  if (found > limit) throw new ReplayError('TURNTAPE_CAP_EXCEEDED', { cassette, cap, limit, found, atLeast, when })
}

function isCapName(name: string): name is CapName {
  return Object.hasOwn(defaultCaps, name)
}

function invalidOption(option: string, given: string, expected: string): ReplayError {
  return new ReplayError('TURNTAPE_INVALID_OPTION', { option, given, expected })
}
