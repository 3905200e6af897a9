import { type Caps, resolveCaps } from '../core/cassette/caps.ts'
import type { ParsedArguments } from './command.ts'
import { usageError } from './usage-error.ts'

/**
 * The caps that `--cap name=count` raises: the project's own, in its runner's configuration, are not known here.
 * @throws TURNTAPE_USAGE, TURNTAPE_INVALID_OPTION
 */
export function givenCaps({ values }: ParsedArguments): Caps {
  const pairs = (values.get('cap') ?? []).map((given) => {
    const [, name, count] = /^(\w+)=([\d_]+)$/.exec(given) ?? []
    if (name === undefined || count === undefined) {
      throw usageError(`--cap cannot be "${given}"`, 'Write a name and a count: --cap maxBodyBytes=33554432.')
    }
    return [name, Number(count.replaceAll('_', ''))] as const
  })
  return resolveCaps(Object.fromEntries(pairs) as Partial<Caps>)
}
