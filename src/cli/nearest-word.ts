/** The candidate that was probably meant, if one is near enough: about one slip in three letters. */
export function nearestWord(given: string, candidates: readonly string[]): string | undefined {
  return nearestWords(given, candidates, 1)[0]
}

/** The nearest candidates, best first. One that holds what was given counts as near. */
export function nearestWords(given: string, candidates: readonly string[], most: number): readonly string[] {
  const wanted = given.slice(0, maxLength).toLowerCase()
  const ranked = candidates.flatMap((candidate) => {
    const word = candidate.slice(0, maxLength).toLowerCase()
    const slips = wanted.length > 2 && word.includes(wanted) ? 1 : slipsBetween(wanted, word)
    return slips <= Math.max(1, Math.floor(Math.max(wanted.length, word.length) / 3)) ? [{ candidate, slips }] : []
  })
  return ranked
    .sort((one, other) => one.slips - other.slips)
    .slice(0, most)
    .map(({ candidate }) => candidate)
}

/** `Did you mean X? `, or nothing. */
export function didYouMean(meant: string | undefined): string {
  return meant === undefined ? '' : `Did you mean ${meant}? `
}

const maxLength = 200

/** Letters changed, added, left out, or swapped with their neighbour. */
function slipsBetween(one: string, other: string): number {
  let beforeLast: number[] = []
  let last = Array.from({ length: other.length + 1 }, (_, index) => index)
  for (let row = 1; row <= one.length; row += 1) {
    const current = [row]
    for (let column = 1; column <= other.length; column += 1) {
      const change = one[row - 1] === other[column - 1] ? 0 : 1
      let best = Math.min(at(last, column) + 1, at(current, column - 1) + 1, at(last, column - 1) + change)
      const swapped = one[row - 1] === other[column - 2] && one[row - 2] === other[column - 1]
      if (row > 1 && column > 1 && swapped) best = Math.min(best, at(beforeLast, column - 2) + 1)
      current.push(best)
    }
    beforeLast = last
    last = current
  }
  return at(last, other.length)
}

function at(row: readonly number[], column: number): number {
  return row[column] ?? 0
}
