/** Turns, 1-based, both ends included. */
export interface Part {
  readonly from: number
  /** Infinity: to the end. */
  readonly upTo: number
}

export const wholeCassette: Part = { from: 1, upTo: Number.POSITIVE_INFINITY }

export function isWhole({ from, upTo }: Part): boolean {
  return from === 1 && upTo === Number.POSITIVE_INFINITY
}
