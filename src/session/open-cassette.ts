import { dirname, isAbsolute, join, relative, sep } from 'node:path'
import { type Caps, resolveCaps } from '../core/cassette/caps.ts'
import type { Cassette, SideFiles } from '../core/cassette/document.ts'
import { ReplayError } from '../errors/replay-error.ts'
import { createStore, type StoredCassette } from '../store/cassette-store.ts'
import { type TokenUsage, tokenUsage } from '../trajectory/token-usage.ts'
import { buildTrajectory, type Turn } from '../trajectory/turn.ts'

/** One cassette, read. */
export interface OpenedCassette {
  /** As it was given. */
  readonly path: string
  readonly cassette: Cassette
  readonly turns: readonly Turn[]
  /** Tokens by model. */
  readonly usage: TokenUsage
  /** Side files by name, read and checked when asked for. */
  readonly sideFiles: SideFiles
}

export interface OpenOptions {
  readonly caps?: Partial<Caps>
}

/**
 * Reads one cassette file. `path` is absolute or relative to the working directory.
 * Errors: TURNTAPE_CASSETTE_INVALID (also where there is no file), TURNTAPE_CASSETTE_TOO_NEW, TURNTAPE_CAP_EXCEEDED.
 */
export function openCassette(path: string, options: OpenOptions = {}): OpenedCassette {
  const { cassette, sideFiles } = readStored(path, options)
  const turns = buildTrajectory({ interactions: cassette.interactions, sideFiles })
  return {
    path,
    cassette,
    turns,
    get usage() {
      return tokenUsage(turns, { interactions: cassette.interactions, sideFiles })
    },
    sideFiles,
  }
}

function readStored(path: string, { caps }: OpenOptions): StoredCassette {
  const file = isAbsolute(path) ? path : join(process.cwd(), path)
  const root = dirname(file)
  const stored = createStore({ root }).read(relative(root, file).split(sep).join('/'), resolveCaps(caps))
  if (stored !== undefined) return stored
  throw new ReplayError('TURNTAPE_CASSETTE_INVALID', { cassette: path, reason: 'there is no such file' })
}
