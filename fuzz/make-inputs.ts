import fc from 'fast-check'
import type { FuzzTarget } from './fuzz-target.ts'
import { mutate } from './mutate-text.ts'
import { Random } from './random.ts'

/** Inputs for ever, the same for the same seed: made ones, and real and made ones changed. */
export function* makeInputs(target: FuzzTarget, seeds: readonly Uint8Array[], seed: number): Generator<Uint8Array> {
  const random = new Random(seed)
  for (let batch = 0; ; batch += 1) {
    const made = fc.sample(target.made, { seed: seed + batch, numRuns: 20 })
    yield* made
    const others = [...seeds, ...made]
    for (let count = 0; count < 180; count += 1) {
      let input = random.isOneIn(2) && seeds.length > 0 ? random.pick(seeds) : random.pick(made)
      // A change of a change goes where one does not.
      for (let depth = 1 + random.below(3); depth > 0; depth -= 1) input = mutate(input, { random, others })
      yield input
    }
  }
}
