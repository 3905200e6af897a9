/** The block at the end of a run: one row of counts, below it what needs a look, and what was not paid for. */
import { elide } from '../../errors/elide.ts'
import { describeStray, worthALookOf } from './describe-report.ts'
import type { Paint } from './paint.ts'
import { type Count, counts, type RunReport, type TestReport } from './run-report.ts'

/** Whose summary the lines stand below. */
export type SummaryStyle = 'vitest' | 'jest'

export interface SummaryInput {
  readonly report: RunReport
  readonly style: SummaryStyle
  readonly paint: Paint
}

/** Rows of detail, and rows of obsolete cassettes, that are shown; the rest is counted. */
const maxRows = 10

/** Empty when nothing happened. Every rebased cassette is named: nobody has asked their model. */
export function summarise({ report, style, paint }: SummaryInput): readonly string[] {
  const row = rows[style](paint)
  const details = detailsOf(report)
  const obsolete = obsoleteRows(report)
  const rebased = report.tests.filter(({ outcome }) => outcome === 'rebased')
  const below = [
    ...shorten(details, '').map(shown),
    ...(report.counts.pending > 0 ? [pendingNote] : []),
    ...obsolete.map(shown),
    ...rebased.map(({ cassette }) => shown(`rebased ${cassette}`)),
  ]
  const numbers = countsOf(report, paint)
  if (numbers.length === 0 && below.length === 0) return []
  const separator = style === 'vitest' ? paint.dim(' | ') : ', '
  const notPaid = notPaidOf(report)
  return [
    row('Cassettes', numbers.join(separator) || 'none'),
    ...below.map((line) => row('', line)),
    ...(notPaid.length === 0 ? [] : [row('Not paid', notPaid.join(separator))]),
  ]
}

const words: Readonly<Partial<Record<Count, string>>> = {
  divergedBeforePassing: 'diverged before passing',
  nearCap: 'near cap',
  tooOld: 'too old',
}

const tones: Readonly<Partial<Record<Count, keyof Paint>>> = {
  written: 'green',
  updated: 'green',
  rebased: 'yellow',
  replayed: 'green',
  pending: 'yellow',
  diverged: 'red',
  divergedBeforePassing: 'yellow',
  unused: 'red',
  errored: 'red',
  failed: 'red',
  obsolete: 'yellow',
  nearCap: 'yellow',
  tooOld: 'yellow',
}

function countsOf(report: RunReport, paint: Paint): readonly string[] {
  return counts.flatMap((count) => {
    const number = report.counts[count]
    if (number === 0) return []
    const tone = tones[count]
    const text = `${number} ${words[count] ?? count}`
    return [tone === undefined ? text : paint[tone](text)]
  })
}

// What makes the run red first.
function detailsOf({ tests, strays, updateIgnored, extent, obsolete }: RunReport): readonly string[] {
  const byRefusal = [...strays].sort((one, other) => Number(other.refused) - Number(one.refused))
  return [
    ...byRefusal.map(describeStray),
    ...(strays.some(({ refused }) => refused)
      ? ['refused calls fail the run: make them inside a test, and await them']
      : []),
    ...tests.flatMap(hiddenFailures),
    ...tests.flatMap(notesOf),
    ...(updateIgnored ? ['-u touched snapshots only: in CI nothing is recorded unless TURNTAPE_MODE says so'] : []),
    ...(extent === 'shard' && tests.length > 0 && obsolete.length === 0 ? [shardNote] : []),
  ]
}

const pendingNote =
  'pending: the next local run goes on from it; where a cassette is committed, npx turntape accept --list'

const shardNote =
  'obsolete cassettes are not looked for in a shard: the merged report does, and npx turntape prune --dry-run'

// A retry that passed hides a failure from the runner's own list.
function hiddenFailures({ test, failure, earlier }: TestReport): readonly string[] {
  return failure === undefined ? earlier.map(({ message }) => `${test}: an attempt failed before: ${message}`) : []
}

function notesOf(report: TestReport): readonly string[] {
  const { cassette, outcome, notes } = report
  return [
    ...notes.map((note) => (outcome === 'pending' ? `kept as pending, ${note}` : note)),
    ...worthALookOf(report),
  ].map((note) => `${cassette}: ${note}`)
}

function obsoleteRows({ obsolete, obsoleteFails }: RunReport): readonly string[] {
  const left = obsolete.filter(({ removed }) => !removed)
  const list = [
    ...left.map(({ cassette, reason }) => `obsolete ${cassette}: ${reason}`),
    ...obsolete.filter(({ removed }) => removed).map(({ cassette, reason }) => `removed ${cassette}: ${reason}`),
  ]
  const remedy = `${obsoleteFails ? "obsolete cassettes fail a run in CI, unless obsolete: 'warn'; locally " : ''}npx turntape prune, or -u on a full run that passes, removes them`
  return [...shorten(list, ': npx turntape prune --dry-run lists them'), ...(left.length > 0 ? [remedy] : [])]
}

function shorten(lines: readonly string[], hint: string): readonly string[] {
  if (lines.length <= maxRows) return lines
  return [...lines.slice(0, maxRows), `and ${lines.length - maxRows} more${hint}`]
}

function notPaidOf({ notPaid }: RunReport): readonly string[] {
  const { modelCalls, totalTokens, uncountedTurns } = notPaid
  if (modelCalls === 0) return []
  const silent = uncountedTurns === 0 ? '' : ` (${counted(uncountedTurns, 'answer')} without usage)`
  return [
    counted(modelCalls, 'model call'),
    ...(totalTokens === 0 ? [] : [`${counted(totalTokens, 'token')}${silent}`]),
  ]
}

function counted(count: number, noun: string): string {
  return `${grouped(count)} ${noun}${count === 1 ? '' : 's'}`
}

/** As `toLocaleString` writes it, which for the first number of a process takes as long as the rest of the report. */
function grouped(count: number): string {
  return Number.isSafeInteger(count) ? String(count).replace(/\B(?=(?:\d{3})+$)/g, ',') : count.toLocaleString('en-US')
}

/** Characters of one row. */
const maxRowLength = 500

function shown(line: string): string {
  return elide(line, maxRowLength)
}

// Each runner's own column.
const rows: Readonly<Record<SummaryStyle, (paint: Paint) => (label: string, text: string) => string>> = {
  vitest: (paint) => (label, text) => `${label === '' ? ' '.repeat(11) : paint.dim(label.padStart(11))}  ${text}`,
  jest: (paint) => (label, text) => {
    const title = label === '' ? '' : `${label}:`
    return `${title === '' ? '' : paint.bold(title)}${' '.repeat(13 - title.length)}${text}`
  },
}
