/** What is wrong with one cassette: what strict replay would refuse, and the secrets of this machine. */
import type { Caps } from '../core/cassette/caps.ts'
import type { Cassette } from '../core/cassette/document.ts'
import { unfoldCassette } from '../core/cassette/unfold-cassette.ts'
import type { ErrorCode } from '../errors/codes.ts'
import { isReplayError } from '../errors/replay-error.ts'
import { scanForSecrets } from '../redaction/scan.ts'
import type { ScanFacts } from '../redaction/scan-facts.ts'
import { type CassetteProblem, fileProblem, refusalsOf } from '../session/check-cassette.ts'
import { requestHash } from '../session/request-hash.ts'
import type { TapeOptions } from '../session/tape-options.ts'
import type { CassetteStore, StoredCassette } from '../store/cassette-store.ts'

export interface Finding {
  readonly code: ErrorCode
  /** `:12:3`, or empty. */
  readonly position: string
  /** One line, without the path. */
  readonly what: string
  /** A command or a line of code. */
  readonly remedy?: string
}

export interface CheckedFile {
  readonly findings: readonly Finding[]
  /** Set where nothing but hashes stands in the way of writing it again. */
  readonly rehashable?: StoredCassette
}

export interface CheckInput {
  readonly path: string
  readonly store: CassetteStore
  readonly caps: Caps
  readonly facts: ScanFacts
  /** What strict replay is to take all the same. Default: nothing. */
  readonly allow?: TapeOptions['allow']
}

export function checkFile({ path, store, caps, facts, allow = {} }: CheckInput): CheckedFile {
  let stored: StoredCassette | undefined
  try {
    stored = store.read(path, caps)
    if (stored !== undefined) unfoldCassette(stored.cassette)
  } catch (error) {
    if (!isReplayError(error)) throw error
    return { findings: [findingOf(fileProblem(error))] }
  }
  if (stored === undefined) return { findings: [plainFinding('TURNTAPE_CASSETTE_INVALID', 'there is no such file')] }
  const { cassette, sideFiles } = stored
  const refusals = refusalsOf({ stored, caps, given: { allow } })
  const isBroken = refusals.some(({ kind }) => kind === 'side file')
  const readable = isBroken ? new Map<string, Uint8Array>() : sideFiles
  const secrets = scanForSecrets({ cassette, sideFiles: readable, facts }).map(({ place, rule, remedy }) => {
    return { ...plainFinding('TURNTAPE_SECRET_FOUND', `${place} holds ${rule}`), remedy }
  })
  const findings = [...refusals.map(findingOf), ...secrets]
  const isEdited = refusals.some(({ kind }) => kind === 'edited')
  return isEdited && !isBroken ? { findings, rehashable: stored } : { findings }
}

/** The cassette with the hashes that its requests have now, marked as no longer what was recorded. */
export function rehash(cassette: Cassette): Cassette {
  return {
    ...cassette,
    provenance: { kind: 'derived', reason: 'edited' },
    interactions: cassette.interactions.map((interaction) => ({ ...interaction, hash: requestHash(interaction) })),
  }
}

function findingOf({ code = 'TURNTAPE_CASSETTE_INVALID', line, column, what, remedy }: CassetteProblem): Finding {
  const position = [line, column].flatMap((part) => (part === undefined ? [] : [`:${part}`])).join('')
  return { code, position, what, ...(remedy !== undefined && { remedy }) }
}

function plainFinding(code: ErrorCode, what: string): Finding {
  return { code, position: '', what }
}
