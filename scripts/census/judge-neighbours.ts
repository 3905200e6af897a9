/** What became of the tape and of a tool that patches HTTP as well, side by side in one process. Runs nothing. */
import { failureOf, type Sent } from './judge-cells.ts'

export const neighbourFacts = ['recorded', 'sees its own', 'replayed', 'sees its own in replay'] as const
export type NeighbourFact = (typeof neighbourFacts)[number]

/** One tool in one runner, put on at one time. */
export interface Neighbour {
  readonly name: string
  readonly package: string
  readonly runner: string
  readonly started: 'before the test' | 'within the test' | 'gone'
  readonly facts: Readonly<Record<NeighbourFact, string>>
}

interface Seen {
  readonly name: string
  readonly package: string
  readonly when: keyof typeof moments
  readonly text: string
  readonly streamed: string
  readonly byHttp: string
  /** What it answered on `fetch` and on `node:http`. */
  readonly own: readonly string[]
}

export interface NeighbourRuns {
  readonly runner: string
  readonly recorded: NeighbourRun
  readonly replayed: NeighbourRun
  readonly sent: readonly Sent[]
  /** What the server got of the same tests without a tape. */
  readonly sentAlone: readonly Sent[]
  readonly answerText: string
}

export interface NeighbourRun {
  readonly seen: readonly Seen[]
  readonly failures: ReadonlyMap<string, string>
}

const moments = {
  before: { started: 'before the test', title: 'started before > is a neighbour' },
  within: { started: 'within the test', title: 'is a neighbour from now on' },
  after: { started: 'gone', title: 'has gone' },
} as const

export function judgeNeighbours(runs: NeighbourRuns): readonly Neighbour[] {
  const names = new Set([...runs.recorded.seen.map(({ name }) => name), ...titlesOf(runs.recorded)])
  return [...names].sort().flatMap((name) =>
    (['before', 'within', 'after'] as const).map((when) => ({
      name,
      package: [...runs.recorded.seen, ...runs.replayed.seen].find((seen) => seen.name === name)?.package ?? '',
      runner: runs.runner,
      started: moments[when].started,
      facts: judge(runs, { name, when }),
    })),
  )
}

interface Place {
  readonly name: string
  readonly when: keyof typeof moments
}

function judge(runs: NeighbourRuns, place: Place): Neighbour['facts'] {
  const [recorded, replayed] = [seenIn(runs.recorded, place), seenIn(runs.replayed, place)]
  const sent = callsOf(runs.sent, place)
  const shown = (seen: Seen | undefined) => JSON.stringify([seen?.text, seen?.streamed, seen?.byHttp])
  return {
    recorded: failureIn(runs.recorded, place) ?? recordedFact({ recorded, sent, answerText: runs.answerText }),
    'sees its own': ownFact(recorded) ?? tracedFact(sent, callsOf(runs.sentAlone, place)),
    replayed: failureIn(runs.replayed, place) ?? (shown(recorded) === shown(replayed) ? 'yes' : 'differs'),
    'sees its own in replay': ownFact(replayed) ?? 'there is no call',
  }
}

function recordedFact(what: {
  readonly recorded: Seen | undefined
  readonly sent: readonly Sent[]
  readonly answerText: string
}): string {
  const { recorded, sent, answerText } = what
  if (recorded === undefined) return 'not run'
  if (recorded.text !== answerText || recorded.byHttp !== answerText) return 'another answer'
  if (sent.length !== 3) return `${sent.length} requests for 3`
  const stream = sent.find(({ scenario }) => scenario === 'streamed')
  if (recorded.streamed !== Buffer.concat([...(stream?.chunks ?? [])]).toString('latin1')) return 'other bytes'
  return stream?.seenInTime === true ? 'yes' : 'streamed only at the end'
}

/** Undefined: it answers nothing, so that what it sees shows at the server. */
function ownFact(seen: Seen | undefined): string | undefined {
  if (seen === undefined) return 'not run'
  if (seen.own.length === 0) return undefined
  return seen.own.every((by) => by === 'tool') ? 'yes' : 'no'
}

/** A tracing tool shows in the headers of the calls that it sees. */
function tracedFact(sent: readonly Sent[], sentAlone: readonly Sent[]): string {
  const [beside, alone] = [sent, sentAlone].map((calls) => calls.filter(({ traced }) => traced).length)
  return beside === alone ? `${beside} of ${sent.length} calls, as alone` : `${beside} calls, alone ${alone}`
}

function callsOf(sent: readonly Sent[], { name, when }: Place): readonly Sent[] {
  return sent.filter(({ cell }) => cell === `${name.toLowerCase()}-${when}`)
}

function seenIn({ seen }: NeighbourRun, place: Place): Seen | undefined {
  return seen.find(({ name, when }) => name === place.name && when === place.when)
}

function failureIn({ failures }: NeighbourRun, { name, when }: Place): string | undefined {
  return failureOf(failures.get(`${name} > ${moments[when].title}`))
}

function titlesOf({ failures }: NeighbourRun): readonly string[] {
  return [...failures.keys()].map((title) => title.split(' > ')[0] ?? '')
}
