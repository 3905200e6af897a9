/** Everything of a cassette unfolded at once: for whoever must know that all of it can be read. */
import type { Cassette } from './document.ts'

/** @throws TURNTAPE_CASSETTE_INVALID for what only unfolding can show (F11). */
export function unfoldCassette({ interactions }: Cassette): void {
  for (const interaction of interactions) {
    const { request } = interaction
    const folded: readonly (object | undefined)[] =
      'result' in interaction
        ? [request, interaction.result]
        : ['body' in request ? request.body : undefined, interaction.response?.body]
    // Reading a lazy member makes it.
    for (const holder of folded) if (holder !== undefined) Object.values(holder)
  }
}
