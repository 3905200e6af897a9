import { dirname, isAbsolute, join, relative, sep } from 'node:path'
import { type Caps, resolveCaps } from '../core/cassette/caps.ts'
import type { Cassette } from '../core/cassette/document.ts'
import { buildTurns, type Turn } from '../core/turns/turn.ts'
import { ReplayError } from '../errors/replay-error.ts'
import { createStore } from '../store/cassette-store.ts'

export interface OpenedCassette {
  readonly cassette: Cassette
  readonly turns: readonly Turn[]
}

/**
 * Reads one cassette file. `path` is absolute or relative to the working directory.
 * Errors: TURNTAPE_CASSETTE_INVALID (also where there is no file), TURNTAPE_CASSETTE_TOO_NEW, TURNTAPE_CAP_EXCEEDED.
 */
export function openCassette(path: string, options: { readonly caps?: Partial<Caps> } = {}): OpenedCassette {
  const file = isAbsolute(path) ? path : join(process.cwd(), path)
  const root = dirname(file)
  const stored = createStore({ root }).read(relative(root, file).split(sep).join('/'), resolveCaps(options.caps))
  if (stored === undefined) {
    throw new ReplayError('TURNTAPE_CASSETTE_INVALID', { cassette: path, reason: 'there is no such file' })
  }
  return { cassette: stored.cassette, turns: buildTurns(stored.cassette.interactions) }
}
