/** The block at the end of a run, as lines without colour: one line of counts, then what needs a look. */
import type { SessionOutcome, SessionReport } from './session-report.ts'

export interface RunSummary {
  /** The attempts of each test, in order. */
  readonly attempts: readonly (readonly SessionReport[])[]
  /** `-u` was given where nothing may be recorded. */
  readonly updateIgnored: boolean
  /** First lines of calls that came after their test had ended. */
  readonly late: readonly string[]
}

/** Whose summary the lines stand below. */
export type SummaryStyle = 'vitest' | 'jest'

const words: Readonly<Partial<Record<SessionOutcome, string>>> = {
  written: 'written',
  updated: 'updated',
  rebased: 'rebased',
  unchanged: 'unchanged',
  replayed: 'replayed',
  pending: 'pending',
  failed: 'failed',
}

/** Empty when nothing happened. At most 10 detail lines, and every rebased cassette: nobody has asked their model. */
export function summarise(
  { attempts, updateIgnored, late }: RunSummary,
  style: SummaryStyle = 'vitest',
): readonly string[] {
  const last = attempts.flatMap(spokesman)
  const counts = Object.entries(words).flatMap(([outcome, word]) => {
    const count = last.filter((report) => report.outcome === outcome).length
    return count === 0 ? [] : [`${count} ${word}`]
  })
  const liveTests = last.filter((report) => report.outcome === 'live').length
  if (liveTests > 0) counts.push(`${liveTests} live`)
  const details = [
    ...last.flatMap((report) => report.notes.map((note) => `${report.cassette}: ${outcomeNote(report, note)}`)),
    ...attempts.flatMap(hiddenFailures),
    ...late,
    ...(updateIgnored ? ['-u touched snapshots only: in CI nothing is recorded unless TURNTAPE_MODE says so'] : []),
  ]
  if (counts.length === 0 && details.length === 0) return []
  const rebased = last.filter(({ outcome }) => outcome === 'rebased').map(({ cassette }) => `rebased ${cassette}`)
  const shown = details.slice(0, 10)
  if (details.length > shown.length) shown.push(`and ${details.length - shown.length} more`)
  const row = rows[style]
  return [row('Cassettes', counts.join(' | ') || 'none'), ...[...shown, ...rebased].map((line) => row('', line))]
}

const recorded: ReadonlySet<SessionOutcome> = new Set(['written', 'updated', 'rebased', 'unchanged'])

// The last attempt speaks for its test; but a later pass of a repeated test only replays what an earlier one wrote.
function spokesman(ofTest: readonly SessionReport[]): readonly SessionReport[] {
  const [last] = ofTest.slice(-1)
  if (last === undefined) return []
  if (last.outcome !== 'replayed') return [last]
  return [ofTest.find(({ outcome }) => recorded.has(outcome)) ?? last]
}

function outcomeNote(report: SessionReport, note: string): string {
  return report.outcome === 'pending' ? `kept as pending, ${note}` : note
}

// A retry that passed hides a failure from the runner's own list.
function hiddenFailures(ofTest: readonly SessionReport[]): readonly string[] {
  if (ofTest.at(-1)?.failure !== undefined) return []
  return ofTest.flatMap(({ test, failure }) =>
    failure === undefined ? [] : [`${test}: an attempt failed before: ${failure.message}`],
  )
}

// Each runner's own column.
const rows: Readonly<Record<SummaryStyle, (label: string, text: string) => string>> = {
  vitest: (label, text) => `${label.padStart(11)}  ${text}`,
  jest: (label, text) => `${(label === '' ? '' : `${label}:`).padEnd(13)}${text}`,
}
