/** The tables of `docs/clients.md`: what `npm run census` found, from `census/results.json`. */
import results from '../../census/results.json' with { type: 'json' }
import { type CensusCell, facts } from '../census/judge-cells.ts'
import { type Neighbour, neighbourFacts } from '../census/judge-neighbours.ts'

/** What `scripts/census.mjs` writes. */
export interface CensusResults {
  /** By Node version, the newest first. */
  readonly nodes: Readonly<Record<string, readonly CensusCell[]>>
  readonly neighbours: readonly Neighbour[]
  readonly packages: Readonly<Record<string, { readonly version: string; readonly node?: string }>>
}

const { nodes, neighbours, packages } = results as CensusResults
const [newest = '', ...older] = Object.keys(nodes)

/** One row a client: the facts on the newest Node, and in one word how the older ones differ. */
export function clientTable(): string {
  const head = ['client', 'version', 'road', ...facts, ...older.map((version) => `Node ${version}`)]
  const rows = [...(nodes[newest] ?? [])]
    .sort(byName)
    .map((cell) => [
      cell.name,
      versionOf(cell.package) || `Node ${newest}`,
      cell.road,
      ...facts.map((fact) => shown(cell.facts[fact])),
      ...older.map((version) => onOlder(cell, version)),
    ])
  return table([head, ...rows])
}

/** One row a tool, runner and moment; what is said of calls after it has gone, only where it is not what one expects. */
export function neighbourTable(): string {
  const head = ['tool', 'version', 'runner', 'started', ...neighbourFacts]
  const rows = [...neighbours]
    .sort(byName)
    .map((one) => [
      ...[one.name, versionOf(one.package), one.runner, one.started],
      ...neighbourFacts.map((fact) => one.facts[fact]),
    ])
  return table([head, ...rows])
}

function onOlder(cell: CensusCell, version: string): string {
  const there = nodes[version]?.find(({ name }) => name === cell.name)
  if (there === undefined) return missingOn(cell)
  const different = facts.filter((fact) => there.facts[fact] !== cell.facts[fact])
  return different.length === 0
    ? 'the same'
    : different.map((fact) => `${fact}: ${shown(there.facts[fact])}`).join('; ')
}

function missingOn({ package: name = '' }: CensusCell): string {
  const needed = /(?:>=|\^) ?(\d+)/.exec(packages[name]?.node ?? '')?.[1]
  return needed === undefined ? 'does not load' : `does not load, needs Node ${needed}`
}

function versionOf(name: string | undefined): string {
  return name === undefined ? '' : (packages[name]?.version ?? '')
}

const shown = (fact: string): string => (fact === 'TURNTAPE_UNCAPTURED_CONNECTION' ? 'refused' : fact)

function byName(a: { readonly name: string }, b: { readonly name: string }): number {
  const [first, second] = [a.name.toLowerCase(), b.name.toLowerCase()]
  return first < second ? -1 : first > second ? 1 : 0
}

function table([head = [], ...rows]: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n')
}
