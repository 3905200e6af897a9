/** What can be said of a cassette before its test runs: what strict replay would refuse, and what is worth knowing. */
import type { Caps } from '../core/cassette/caps.ts'
import { resolveCaps } from '../core/cassette/caps.ts'
import { type Interaction, isHttpInteraction } from '../core/cassette/document.ts'
import { unfoldCassette } from '../core/cassette/unfold-cassette.ts'
import type { OpenRefusal } from '../core/matching/open-refusals.ts'
import { countBlocks } from '../core/turns/count-blocks.ts'
import { groupTurns, turnNumbers } from '../core/turns/group-turns.ts'
import { splitAtTurns } from '../core/turns/replay-part.ts'
import type { ErrorCode, ErrorDetails } from '../errors/codes.ts'
import { counted } from '../errors/messages/compose-message.ts'
import { isReplayError, type ReplayError } from '../errors/replay-error.ts'
import type { StoredCassette } from '../store/cassette-store.ts'
import type { Turn } from '../trajectory/turn.ts'
import { type OpenedCassette, type OpenOptions, openCassette } from './open-cassette.ts'
import { requestHash } from './request-hash.ts'
import { refusalsFor, unknownPoint } from './source/refuse-cassette.ts'
import { resolveOptions, type TapeOptions } from './tape-options.ts'

export interface CassetteProblem {
  /**
   * Refused: `unreadable`, `too new`, `over a cap`, `edited` (a request has another hash than it is stored with),
   * `side file`, `unknown point` (of `from` and `upTo`); unless allowed `unverifiable`, `substituted`, `incomplete`; and
   * `call id repeated` where nothing tells two results apart. Not refused: `call id repeated` where arguments or order do,
   * `unfinished` (the answer was cut and is replayed as far as it goes), `stops early` (its caller read no further; one
   * that does fails).
   */
  readonly kind:
    | 'unreadable'
    | 'too new'
    | 'over a cap'
    | 'edited'
    | 'side file'
    | 'unknown point'
    | 'unverifiable'
    | 'substituted'
    | 'incomplete'
    | 'unfinished'
    | 'stops early'
    | 'call id repeated'
  /** True: a strict replay refuses it. */
  readonly refused: boolean
  /** Of the error that replay gives. */
  readonly code?: ErrorCode
  readonly interaction?: number
  readonly turn?: number
  /** In the file, 1-based. */
  readonly line?: number
  readonly column?: number
  /** One line, without the path. */
  readonly what: string
  /** A command or a line of code. */
  readonly remedy?: string
}

export interface CheckedCassette {
  /** True: strict replay refuses none of it. */
  readonly replayable: boolean
  readonly problems: readonly CassetteProblem[]
}

/** How the cassette is to be replayed; what is not given is as the options of a test are by default. */
export interface CheckOptions extends OpenOptions, Pick<TapeOptions, 'strict' | 'allow' | 'order' | 'from' | 'upTo'> {}

/** Never throws for what is wrong with the cassette. `given`: a path (as `openCassette` takes it), or one opened. */
export function checkCassette(given: string | OpenedCassette, options: CheckOptions = {}): CheckedCassette {
  const problems = typeof given === 'string' ? problemsAt(given, options) : problemsOf(given, options)
  return { replayable: problems.every(({ refused }) => !refused), problems }
}

function problemsAt(path: string, options: CheckOptions): readonly CassetteProblem[] {
  try {
    const opened = openCassette(path, options)
    unfoldCassette(opened.cassette) // what only unfolding shows is found here, not in the middle of a test
    return problemsOf(opened, options)
  } catch (error) {
    if (isReplayError(error)) return [fileProblem(error)]
    throw error
  }
}

function problemsOf(opened: OpenedCassette, { caps, ...given }: CheckOptions): readonly CassetteProblem[] {
  const refusals = refusalsOf({ stored: opened, caps: resolveCaps(caps), given })
  // What a turn says cannot be read where its side file cannot, and is not looked into where it is of too many blocks.
  if (refusals.some(({ kind }) => kind === 'side file' || kind === 'over a cap')) return refusals
  return [...refusals, ...opened.turns.flatMap(turnProblems), ...repeatedIds(opened.turns)]
}

export interface Checkable {
  readonly stored: Pick<StoredCassette, 'cassette' | 'sideFiles'>
  readonly caps: Caps
  /** Default: strict, and all of it. */
  readonly given?: Omit<CheckOptions, 'caps'>
}

/** What strict replay refuses in a cassette that could be read. */
export function refusalsOf({ stored, caps, given = {} }: Checkable): readonly CassetteProblem[] {
  const { interactions } = stored.cassette
  const edited = interactions.filter((interaction) => requestHash(interaction) !== interaction.hash).map(editedProblem)
  const large = interactions.flatMap((interaction) => blocksProblem(interaction, caps.maxBlocks))
  const files = [...stored.sideFiles.keys()].flatMap((name) => sideFileProblem(name, stored))
  return [...edited, ...large, ...files, ...openProblems(interactions, given)]
}

function openProblems(
  interactions: readonly Interaction[],
  given: Omit<CheckOptions, 'caps'>,
): readonly CassetteProblem[] {
  const { strict, allow, order, part } = resolveOptions([given])
  const turns = groupTurns(interactions).length
  const option = unknownPoint(part, turns)
  if (option !== undefined) {
    const what = `there is no turn ${part[option]} to replay ${option === 'from' ? 'from' : 'up to'}: it has ${counted(turns, 'turn')}`
    return [{ kind: 'unknown point', refused: true, code: 'TURNTAPE_UNKNOWN_POINT', what }]
  }
  const turnsByNumber = turnNumbers(interactions)
  return refusalsFor({ split: splitAtTurns(interactions, part), order, allow, strict }).flatMap((refusal) =>
    refusalProblems(refusal, turnsByNumber),
  )
}

function refusalProblems(refusal: OpenRefusal, turns: ReadonlyMap<number, number>): readonly CassetteProblem[] {
  if (refusal.kind === 'call id repeated') {
    const { callId, first, second, tool } = refusal
    const what = `interactions ${first} and ${second} are calls of ${tool} with the id ${callId} and equal arguments, at the same time: nothing tells their results apart`
    return [{ kind: refusal.kind, refused: true, code: 'TURNTAPE_CALL_ID_REPEATED', interaction: second, what }]
  }
  const [code, allowance] = marks[refusal.kind]
  return refusal.marked.map(({ number, reason }) => {
    const turn = turns.get(number)
    return {
      kind: refusal.kind,
      refused: true,
      code,
      interaction: number,
      ...(turn === undefined ? {} : { turn }),
      what: `interaction ${number} is ${refusal.kind}: ${reason}`,
      remedy: `allow: { ${allowance}: true }, in the test`,
    }
  })
}

const marks = {
  unverifiable: ['TURNTAPE_UNVERIFIABLE', 'unhashed'],
  substituted: ['TURNTAPE_SUBSTITUTED', 'substitution'],
  incomplete: ['TURNTAPE_INCOMPLETE', 'incomplete'],
} as const

function editedProblem(interaction: Interaction): CassetteProblem {
  const { number, hash } = interaction
  const hashes = `its hash is ${hash.slice(0, 8)}, computed ${requestHash(interaction).slice(0, 8)}`
  return {
    kind: 'edited',
    refused: true,
    code: 'TURNTAPE_CASSETTE_EDITED',
    interaction: number,
    what: `the request of interaction ${number} was edited: ${hashes}`,
  }
}

function blocksProblem(interaction: Interaction, limit: number): readonly CassetteProblem[] {
  const found = isHttpInteraction(interaction) ? countBlocks(interaction) : 0
  if (found <= limit) return []
  return [{ ...capProblem({ cap: 'maxBlocks', limit, found, atLeast: false }), interaction: interaction.number }]
}

function sideFileProblem(name: string, { sideFiles }: Pick<StoredCassette, 'sideFiles'>): readonly CassetteProblem[] {
  try {
    sideFiles.get(name)
    return []
  } catch (error) {
    if (isReplayError(error)) return [{ ...fileProblem(error), kind: 'side file' }]
    throw error
  }
}

/** An error of the store or the parser as a problem. */
export function fileProblem(error: ReplayError): CassetteProblem {
  const { code } = error
  switch (code) {
    case 'TURNTAPE_CASSETTE_INVALID':
      return invalidProblem(error.details as ErrorDetails['TURNTAPE_CASSETTE_INVALID'])
    case 'TURNTAPE_CASSETTE_TOO_NEW': {
      const what = newerThan(error.details as ErrorDetails['TURNTAPE_CASSETTE_TOO_NEW'])
      return { kind: 'too new', refused: true, code, what }
    }
    case 'TURNTAPE_CAP_EXCEEDED':
      return capProblem(error.details as ErrorDetails['TURNTAPE_CAP_EXCEEDED'])
    default:
      return { kind: 'unreadable', refused: true, code, what: error.shortMessage }
  }
}

function newerThan({ found, supported, requires }: ErrorDetails['TURNTAPE_CASSETTE_TOO_NEW']): string {
  if (requires !== undefined) return `it requires ${requires.join(', ')}, which this turntape does not know`
  return `its format is ${found}, this turntape reads up to ${supported}`
}

type CapFound = Pick<ErrorDetails['TURNTAPE_CAP_EXCEEDED'], 'cap' | 'limit' | 'found' | 'atLeast'>

function capProblem({ cap, limit, found, atLeast }: CapFound): CassetteProblem {
  return {
    kind: 'over a cap',
    refused: true,
    code: 'TURNTAPE_CAP_EXCEEDED',
    what: `${cap} is exceeded: ${atLeast ? 'at least ' : ''}${found} found, ${limit} allowed`,
    remedy: `--cap ${cap}=${found}, if the project allows as much`,
  }
}

function invalidProblem(details: ErrorDetails['TURNTAPE_CASSETTE_INVALID']): CassetteProblem {
  const { line, column, pointer, reason, remedies: [remedy] = [] } = details
  return {
    kind: 'unreadable',
    refused: true,
    code: 'TURNTAPE_CASSETTE_INVALID',
    ...(line !== undefined && { line }),
    ...(column !== undefined && { column }),
    what: pointer === undefined || pointer === '' ? reason : `${pointer}: ${reason}`,
    ...(remedy !== undefined && { remedy: `${remedy.why}: ${remedy.command}` }),
  }
}

function turnProblems({ number, interaction, finished, error }: Turn): readonly CassetteProblem[] {
  const at = { refused: false, interaction: interaction.number, turn: number }
  const end = interaction.response?.body?.end?.kind
  if (!finished && (end === 'aborted' || end === 'partial')) {
    const what = `the answer of turn ${number} stops where its caller stopped reading: one that reads on fails`
    return [{ ...at, kind: 'stops early', code: 'TURNTAPE_READ_PAST_RECORDING', what }]
  }
  if (finished && error === undefined) return []
  const why = error === undefined ? 'the answer was cut' : `it ended with an error: ${error.message}`
  return [{ ...at, kind: 'unfinished', what: `turn ${number} is not finished, ${why}` }]
}

function repeatedIds(turns: readonly Turn[]): readonly CassetteProblem[] {
  const first = new Map<string, number>()
  return turns.flatMap((turn) =>
    turn.toolCalls.flatMap(({ id }): readonly CassetteProblem[] => {
      const before = id === undefined ? undefined : first.get(id)
      if (id === undefined || before === undefined) {
        if (id !== undefined) first.set(id, turn.number)
        return []
      }
      const what = `turn ${turn.number} repeats the tool call id ${id} of turn ${before}`
      return [
        { kind: 'call id repeated', refused: false, interaction: turn.interaction.number, turn: turn.number, what },
      ]
    }),
  )
}
