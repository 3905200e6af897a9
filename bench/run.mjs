// Measures the rows on the Node that runs this, and keeps them in results.json: `node bench/run.mjs [options]`, see scripts/bench.mjs.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { Bench } from './bench.mjs'
import { prepareBuilds } from './package-build.mjs'
import { rows } from './rows.mjs'

/**
 * @typedef {import('./statistics.mjs').Spread} Spread
 * @typedef {{ name: string, keepsChunks?: boolean } & ({ spread: Spread } | { failed: string })} PeerFigure
 * @typedef {{ of: number, parts: { name: string, amount: number }[] }} Profiled `name`: a source file, or what else the time went to; all in the figure's unit
 * @typedef {{ id: string, group: string, what: string, unit: '×' | 'ms' | 'µs' | 'bytes' | 'KB', goal?: string, note?: string, ours: Spread | { failed: string }, met?: boolean, peers: PeerFigure[], least?: Least, profile?: Profiled }} Figure
 *   `goal` absent: only stated, and `met` is absent too
 * @typedef {{ what: string, spread: Spread | { failed: string } }} Least what no recorder that keeps the promises can leave out, in the figure's unit
 * @typedef {{ node: string, cores: number, quick: boolean, figures: Figure[] }} NodeResults
 * @typedef {{ versions: Record<string, string>, runs: NodeResults[] }} Results
 */

const file = fileURLToPath(new URL('results.json', import.meta.url))
const options = readOptions(process.argv.slice(2))
const chosen = rows.filter((row) =>
  options.row === undefined ? !options.oursOnly || row.alone : row.id.startsWith(options.row),
)
if (chosen.length === 0) {
  console.error(`no such row: ${options.row}\nthere are: ${rows.map(({ id }) => id).join(', ')}`)
  process.exit(2)
}
prepareBuilds({ keep: options.keepBuild })
const folder = mkdtempSync(path.join(tmpdir(), 'bench-'))
try {
  const bench = new Bench({ ...options, folder })
  /** @type {Figure[]} */
  const figures = []
  for (const row of chosen) {
    const start = performance.now()
    const measured = await row.measure(bench)
    for (const figure of measured) console.log(lineOf(figure))
    console.log(`  ${((performance.now() - start) / 1000).toFixed(0)} s`)
    figures.push(...measured)
  }
  keep(figures)
} finally {
  rmSync(folder, { recursive: true, force: true })
}

/** Rows that were not measured now stay as they were. @param {Figure[]} figures */
function keep(figures) {
  /** @type {Results} */
  const results = readResults()
  const node = process.versions.node
  const before = results.runs.find((run) => run.node === node)
  const known = new Map([...(before?.figures ?? []), ...figures].map((figure) => [figure.id, figure]))
  const order = rows.flatMap(({ figures }) => figures)
  const kept = order.flatMap((id) => known.get(id) ?? [])
  const quick = options.quick || (options.row !== undefined && before?.quick === true)
  const run = { node, cores: availableParallelism(), quick, figures: kept }
  results.versions = JSON.parse(readFileSync(new URL('package.json', import.meta.url), 'utf8')).dependencies
  if (before === undefined) results.runs.push(run)
  else results.runs[results.runs.indexOf(before)] = run
  writeFileSync(file, `${JSON.stringify(results, null, 2)}\n`)
}

/** @returns {Results} */
function readResults() {
  try {
    return JSON.parse(readFileSync(file, 'utf8'))
  } catch {
    return { versions: {}, runs: [] }
  }
}

/** @param {Figure} figure */
function lineOf({ id, unit, ours, met, peers, least }) {
  const verdict = met === undefined ? '' : met ? ', met' : ', NOT met'
  const own = 'failed' in ours ? `failed: ${ours.failed}` : `${ours.median} ${unit} (${ours.low} to ${ours.high})`
  const others = peers.map((peer) => `${peer.name} ${'failed' in peer ? 'failed' : peer.spread.median}`)
  const bound = least === undefined || 'failed' in least.spread ? '' : `, at least ${least.spread.median}`
  return `${id}: ${own}${verdict}${bound}${others.length === 0 ? '' : ` | ${others.join(', ')}`}`
}

/** @param {readonly string[]} args */
function readOptions(args) {
  const valueIn = (/** @type {string} */ name) => (args.includes(name) ? args[args.indexOf(name) + 1] : undefined)
  const quick = args.includes('--quick')
  return {
    row: valueIn('--row'),
    rounds: Number(valueIn('--rounds') ?? (quick ? 2 : 7)),
    quick,
    oursOnly: args.includes('--ours-only'),
    keepBuild: args.includes('--keep-build'),
  }
}
