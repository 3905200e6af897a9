/** The tables of `docs/speed.md`, from what the last `npm run bench` measured (`bench/results.json`). */
import { readFileSync } from 'node:fs'
import type { Figure, NodeResults, PeerFigure, Results } from '../../bench/run.mjs'

/** Why a goal is not met, by row. */
export type Reasons = Readonly<Record<string, string>>

/** The committed results and reasons. `npm run bench` writes the first; the second are written by hand. */
export function committedSpeed(): { readonly results: Results; readonly reasons: Reasons } {
  return { results: readBench('results.json') as Results, reasons: readBench('reasons.json') as Reasons }
}

export function committedSpeedTables(): string {
  const { results, reasons } = committedSpeed()
  return speedTables(results, reasons)
}

/** Markdown: a table a Node version, the first one with peers, and why goals are not met. */
export function speedTables({ runs, versions }: Results, reasons: Reasons): string {
  const [first, ...others] = runs
  if (first === undefined) return 'Nothing has been measured yet.'
  const sections = [
    `${measuredOn(first)}\n\n${wholeTable(first)}`,
    notMet(runs, reasons),
    ...others.map((run) => `### The same on Node ${run.node}\n\n${measuredOn(run)}\n\n${shortTable(run)}`),
    `Peers: ${Object.entries(versions)
      .map(([name, version]) => `\`${name}\` ${version}`)
      .join(', ')}.`,
  ]
  return sections.filter((section) => section !== '').join('\n\n')
}

/** Rows with a goal that was not reached. */
export function unmetRows({ figures }: NodeResults): readonly Figure[] {
  return figures.filter(({ met }) => met === false)
}

function measuredOn({ node, cores, quick }: NodeResults): string {
  const how = quick ? ', a quick run of few rounds' : ''
  return `Node ${node} on a machine of ${cores} cores${how}. In brackets: the middle half of the rounds.`
}

function wholeTable({ figures }: NodeResults): string {
  const rows = figures.map((figure) => [
    `${figure.group}: ${figure.what}`,
    figure.goal ?? 'stated',
    ownFigure(figure),
    verdictOf(figure),
    peersOf(figure),
  ])
  return table(['what', 'goal', 'turntape', 'met', 'peers'], rows)
}

function shortTable({ figures }: NodeResults): string {
  const rows = figures.map((figure) => [`${figure.group}: ${figure.what}`, ownFigure(figure), verdictOf(figure)])
  return table(['what', 'turntape', 'met'], rows)
}

function notMet(runs: readonly NodeResults[], reasons: Reasons): string {
  const lines = new Map<string, string>()
  for (const [at, run] of runs.entries()) {
    const where = at === 0 ? '' : `, on Node ${run.node}`
    for (const figure of unmetRows(run)) {
      const { id, group, what } = figure
      const reason = reasons[id] ?? 'The reason is not written yet.'
      if (!lines.has(id))
        lines.set(id, `- **${group}: ${what}${where}.** ${reason}${leastOf(figure)}${profileOf(figure)}`)
    }
  }
  return lines.size === 0 ? 'Every goal is met.' : `### Goals not met, and why\n\n${[...lines.values()].join('\n')}`
}

function leastOf({ unit, least }: Figure): string {
  if (least === undefined || 'failed' in least.spread) return ''
  return ` The least that keeps the promises, measured beside: **${amount(least.spread.median)} ${unit}** (${least.what}).`
}

function profileOf({ unit, profile }: Figure): string {
  if (profile === undefined) return ''
  const named = profile.parts.map((part) => {
    const name = part.name.includes('/') ? `\`${part.name}\`` : part.name
    return `${name} ${amount(part.amount)}`
  })
  return ` In a profile, of ${amount(profile.of)} ${unit}: ${named.join(', ')}.`
}

function ownFigure({ ours, unit, note }: Figure): string {
  if ('failed' in ours) return `failed: ${ours.failed}`
  const range = ours.count > 1 ? ` (${amount(ours.low)} to ${amount(ours.high)})` : ''
  return `**${amount(ours.median)} ${unit}**${range}${note === undefined ? '' : `; ${note}`}`
}

function verdictOf({ met }: Figure): string {
  if (met === undefined) return ''
  return met ? 'yes' : 'no'
}

function peersOf({ peers, unit }: Figure): string {
  const kept = peers.filter(({ keepsChunks }) => keepsChunks === true)
  const joined = peers.filter(({ keepsChunks }) => keepsChunks === false)
  if (kept.length + joined.length === 0) return list(peers, unit)
  return `chunks kept: ${list(kept, unit) || 'none'}; chunks joined: ${list(joined, unit) || 'none'}`
}

function list(peers: readonly PeerFigure[], unit: Figure['unit']): string {
  return peers
    .map((peer) => `${peer.name} ${'failed' in peer ? '–' : `${amount(peer.spread.median)} ${unit}`}`)
    .join(', ')
}

function amount(value: number): string {
  return value.toLocaleString('en', { maximumSignificantDigits: 3 })
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string =>
    `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n')
}

function readBench(name: string): unknown {
  return JSON.parse(readFileSync(new URL(`../../bench/${name}`, import.meta.url), 'utf8'))
}
