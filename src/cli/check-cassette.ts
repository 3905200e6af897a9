/** What is wrong with one cassette: everything that can be known without running its test. */
import type { Caps } from '../core/cassette/caps.ts'
import { type Cassette, type Interaction, isHttpInteraction } from '../core/cassette/document.ts'
import { hashRequest, hashValueRequest } from '../core/hashing/request-hash.ts'
import type { ErrorCode, ErrorDetails } from '../errors/codes.ts'
import { isReplayError, type ReplayError } from '../errors/replay-error.ts'
import { scanForSecrets } from '../redaction/scan.ts'
import type { ScanFacts } from '../redaction/scan-facts.ts'
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

export interface CheckedCassette {
  readonly findings: readonly Finding[]
  /** Set where nothing but hashes stands in the way of writing it again. */
  readonly rehashable?: StoredCassette
}

export interface CheckInput {
  readonly path: string
  readonly store: CassetteStore
  readonly caps: Caps
  readonly facts: ScanFacts
}

export function checkCassette({ path, store, caps, facts }: CheckInput): CheckedCassette {
  let stored: StoredCassette | undefined
  try {
    stored = store.read(path, caps)
  } catch (error) {
    if (!isReplayError(error)) throw error
    return { findings: [findingOf(error)] }
  }
  if (stored === undefined) return { findings: [plainFinding('TURNTAPE_CASSETTE_INVALID', 'there is no such file')] }
  const { cassette, sideFiles } = stored
  const edited = cassette.interactions
    .filter((interaction) => hashOf(interaction) !== interaction.hash)
    .map(editedFinding)
  const broken = [...sideFiles.keys()].flatMap((name) => sideFileFinding(name, stored))
  const readable = broken.length === 0 ? sideFiles : new Map<string, Uint8Array>()
  const secrets = scanForSecrets({ cassette, sideFiles: readable, facts }).map(({ place, rule, remedy }) => {
    return { ...plainFinding('TURNTAPE_SECRET_FOUND', `${place} holds ${rule}`), remedy }
  })
  const findings = [...edited, ...broken, ...secrets]
  return edited.length > 0 && broken.length === 0 ? { findings, rehashable: stored } : { findings }
}

/** The cassette with the hashes that its requests have now, marked as no longer what was recorded. */
export function rehash(cassette: Cassette): Cassette {
  return {
    ...cassette,
    provenance: { kind: 'derived', reason: 'edited' },
    interactions: cassette.interactions.map((interaction) => ({ ...interaction, hash: hashOf(interaction) })),
  }
}

/** F13: of the request as it is stored. */
function hashOf(interaction: Interaction): string {
  if (isHttpInteraction(interaction)) return hashRequest(interaction.request)
  return hashValueRequest({ kind: interaction.kind, ...interaction.request })
}

function editedFinding(interaction: Interaction): Finding {
  const hashes = `its hash is ${interaction.hash.slice(0, 8)}, computed ${hashOf(interaction).slice(0, 8)}`
  return plainFinding(
    'TURNTAPE_CASSETTE_EDITED',
    `the request of interaction ${interaction.number} was edited: ${hashes}`,
  )
}

function sideFileFinding(name: string, { sideFiles }: StoredCassette): readonly Finding[] {
  try {
    sideFiles.get(name)
    return []
  } catch (error) {
    if (isReplayError(error)) return [findingOf(error)]
    throw error
  }
}

function findingOf(error: ReplayError): Finding {
  switch (error.code) {
    case 'TURNTAPE_CASSETTE_INVALID':
      return invalidFinding(error.details as ErrorDetails['TURNTAPE_CASSETTE_INVALID'])
    case 'TURNTAPE_CASSETTE_TOO_NEW': {
      const { found, supported } = error.details as ErrorDetails['TURNTAPE_CASSETTE_TOO_NEW']
      return plainFinding(error.code, `its format is ${found}, this turntape reads up to ${supported}`)
    }
    case 'TURNTAPE_CAP_EXCEEDED': {
      const { cap, found, limit, atLeast } = error.details as ErrorDetails['TURNTAPE_CAP_EXCEEDED']
      const what = `${cap} is exceeded: ${atLeast ? 'at least ' : ''}${found} found, ${limit} allowed`
      return { ...plainFinding(error.code, what), remedy: `--cap ${cap}=${found}, if the project allows as much` }
    }
    default:
      return plainFinding(error.code, error.shortMessage)
  }
}

function invalidFinding(details: ErrorDetails['TURNTAPE_CASSETTE_INVALID']): Finding {
  const { line, column, pointer, reason, remedy } = details
  const position = [line, column].flatMap((part) => (part === undefined ? [] : [`:${part}`])).join('')
  const what = pointer === undefined || pointer === '' ? reason : `${pointer}: ${reason}`
  return { code: 'TURNTAPE_CASSETTE_INVALID', position, what, ...(remedy !== undefined && { remedy }) }
}

function plainFinding(code: ErrorCode, what: string): Finding {
  return { code, position: '', what }
}
