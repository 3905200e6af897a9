/** Chance that is the same for the same seed: a finding names its seed. */
export class Random {
  #state: number

  constructor(seed: number) {
    this.#state = seed | 0
  }

  /** A whole number from 0 to `below`, which is left out. */
  below(below: number): number {
    // mulberry32
    this.#state = (this.#state + 0x6d2b79f5) | 0
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * below)
  }

  pick<T>(items: readonly [T, ...T[]] | readonly T[]): T {
    return items[this.below(items.length)] as T
  }

  isOneIn(many: number): boolean {
    return this.below(many) === 0
  }
}

/** Chance that depends on the input alone, so that a kept input is checked in the same way for ever. */
export function randomFrom(input: Uint8Array): Random {
  let hash = 0x811c9dc5
  for (const byte of input) hash = Math.imul(hash ^ byte, 0x01000193)
  return new Random(hash)
}
