// @ts-check
/**
 * Runs every cell of the runner matrix (about ten minutes; fetches the runner and Node versions it needs) and writes the
 * table of `docs/runners.md`: `node scripts/matrix.mjs`. Exit 1 where a cell failed; the table then says so.
 */
import { spawnSync } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'

/** @typedef {{ fullName: string, title: string, status: string }} CellResult */

const root = fileURLToPath(new URL('..', import.meta.url))
const resultFile = path.join(root, 'node_modules', '.cache', 'turntape-runners', 'matrix.json')
const document = path.join(root, 'docs', 'runners.md')
const opening = '<!-- generated:matrix -->'
const closing = '<!-- /generated -->'

/** @type {Partial<Record<string, string>>} */
const words = { passed: 'yes', failed: '**no**', skipped: 'not run', pending: 'not run' }

mkdirSync(path.dirname(resultFile), { recursive: true })
const vitest = path.join(root, 'node_modules', 'vitest', 'vitest.mjs')
const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${resultFile}`]
const run = spawnSync(process.execPath, [vitest, 'run', 'test/runners/matrix.test.ts', ...reporters], {
  cwd: root,
  env: { ...process.env, TURNTAPE_MATRIX: 'full' },
  stdio: 'inherit',
})
const { testResults } = JSON.parse(readFileSync(resultFile, 'utf8'))
/** @type {CellResult[]} */
const cells = testResults.flatMap((/** @type {{ assertionResults: CellResult[] }} */ file) => file.assertionResults)
const text = readFileSync(document, 'utf8')
const start = text.indexOf(opening)
const end = text.indexOf(closing, start)
writeFileSync(document, `${text.slice(0, start)}${opening}\n\n${tableOf(cells)}\n\n${text.slice(end)}`)
process.exitCode = run.status ?? 1

/** One row a runner and form, one column a Node line. @param {CellResult[]} results */
function tableOf(results) {
  const found = results.flatMap(({ title, status }) => {
    const [, runner = '', form = '', node = ''] = /^(\S+ \S+), (.+), Node (\S+)$/.exec(title) ?? []
    return runner === '' ? [] : [{ runner, form, node, status }]
  })
  const nodes = [...new Set(found.map(({ node }) => node))].sort()
  const rows = [...new Set(found.map(({ runner, form }) => `${runner}, ${form}`))].map((row) => {
    const states = nodes.map((node) => {
      const cell = found.find((one) => `${one.runner}, ${one.form}` === row && one.node === node)
      return cell === undefined ? '–' : (words[cell.status] ?? cell.status)
    })
    return `| ${row} | ${states.join(' | ')} |`
  })
  const heading = ['', ...nodes.map((node) => `Node ${node}`)]
  return [`| ${heading.join(' | ')} |`, `|${' --- |'.repeat(heading.length)}`, ...rows].join('\n')
}
