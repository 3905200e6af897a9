import type { ErrorCode } from './codes.ts'
import type { DivergenceKind } from './divergence-details.ts'

/** The code of each kind of divergence: all four carry the same details and are `DivergenceError`s. */
export const divergenceCodes = {
  changed: 'TURNTAPE_DIVERGED',
  reordered: 'TURNTAPE_OUT_OF_ORDER',
  exhausted: 'TURNTAPE_EXHAUSTED',
  'wrong kind': 'TURNTAPE_WRONG_KIND',
} as const satisfies Readonly<Record<DivergenceKind, ErrorCode>>

const codes: ReadonlySet<ErrorCode> = new Set(Object.values(divergenceCodes))

/** True for the codes of calls that left the cassette. */
export function isDivergence(code: ErrorCode): boolean {
  return codes.has(code)
}
