/** The names of a test as one text, `describe > test`: the advisory name in a cassette, and what users write. */
import { cassettePath } from './cassette-path.ts'

export const joint = ' > '

export function joinNames(names: readonly string[]): string {
  return names.join(joint)
}

/** Every list of names that is this text when joined: a name may hold ` > ` itself. The longest list comes first. */
export function possibleNames(joined: string): readonly (readonly string[])[] {
  const pieces = joined.split(joint)
  if (pieces.length > maxPieces) return [pieces]
  return splits(pieces)
}

/** Whether the path rule gives this path for a test of this joined name; the extension of its test file does not count. */
export function isPathOfName(path: string, joined: string): boolean {
  const testFile = `${path.slice(0, path.lastIndexOf('/')).replace(/^cassettes\//, '')}.ts`
  const index = Number(/--(\d+)\.json$/.exec(path)?.[1] ?? 1)
  return possibleNames(joined).some((names) =>
    [...new Set([1, index])].some((one) => cassettePath({ testFile, names, index: one }) === path),
  )
}

/** The number of lists doubles with each piece. */
const maxPieces = 8

function splits([first = '', ...rest]: readonly string[]): readonly (readonly string[])[] {
  if (rest.length === 0) return [[first]]
  const apart = splits(rest).map((names) => [first, ...names])
  const joined = splits([`${first}${joint}${rest[0]}`, ...rest.slice(1)])
  return [...apart, ...joined]
}
