// @ts-check
/**
 * `npm run check`: everything CI runs, one line a check, the whole output of those that failed, exit 1 if any did.
 * As many run at once as the machine has cores; one that names `after` waits for that one, and is skipped if it failed.
 * `node scripts/check.mjs types docs` runs some, `--except tests` all but some.
 */
import { spawn } from 'node:child_process'
import { availableParallelism } from 'node:os'
import { fileURLToPath } from 'node:url'

/** @typedef {{ name: string, command: string[], after?: string }} Check */
/** @typedef {'passed' | 'failed' | 'skipped'} Outcome */

const tarball = 'node_modules/.cache/turntape-package/turntape.tgz'

/** The longest first. The tests wait for the package: both build into `dist`. @type {Check[]} */
const checks = [
  { name: 'package', command: ['node', 'scripts/pack.mjs', tarball] },
  { name: 'tests', command: ['npm', 'test'], after: 'package' },
  { name: 'demo', command: ['node', 'scripts/demo.mjs'] },
  { name: 'types', command: ['npx', 'tsc', '--noEmit', '-p', '.'] },
  { name: 'format and lint', command: ['npx', 'biome', 'ci', '--colors=off', '--error-on-warnings', '.'] },
  { name: 'unused exports', command: ['npx', 'knip', '--no-progress'] },
  { name: 'docs', command: ['node', 'scripts/generate-docs.mjs', '--check'] },
  { name: 'size', command: ['node', 'scripts/size-budget.mjs', tarball], after: 'package' },
  { name: 'counts', command: ['node', 'scripts/count-budget.mjs'] },
  { name: 'package shape', command: ['npx', 'publint', 'run', tarball, '--strict'], after: 'package' },
  // Entries without a CommonJS build load as ES modules there; the algorithm of Node 10 is promised for `turntape/jest` alone.
  {
    name: 'package types',
    command: ['npx', 'attw', tarball, '--profile', 'node16', '--ignore-rules', 'cjs-resolves-to-esm', '--no-emoji'],
    after: 'package',
  },
]

/** The output goes into a log. */
const env = { ...process.env, NO_COLOR: '1', FORCE_COLOR: undefined }
const root = fileURLToPath(new URL('..', import.meta.url))
/** @type {Map<string, Promise<Outcome>>} */
const outcomes = new Map()
/** @type {(() => void)[]} */
const waiting = []
let free = Math.max(2, availableParallelism())

for (const check of selectChecks(process.argv.slice(2))) outcomes.set(check.name, run(check))
const failed = [...(await Promise.all(outcomes.values()))].filter((outcome) => outcome !== 'passed').length
console.log(
  failed === 0 ? `\nall ${outcomes.size} checks passed` : `\n${failed} of ${outcomes.size} checks did not pass`,
)
process.exitCode = failed === 0 ? 0 : 1

/** @param {string[]} names */
function selectChecks(names) {
  const except = names[0] === '--except'
  const given = except ? names.slice(1) : names
  const unknown = given.filter((name) => !checks.some((check) => check.name === name))
  if (unknown.length > 0) {
    console.error(`no such check: ${unknown.join(', ')}\nthere are: ${checks.map((check) => check.name).join(', ')}`)
    process.exit(2)
  }
  if (given.length === 0) return checks
  return checks.filter((check) => given.includes(check.name) !== except)
}

/** @param {Check} check @returns {Promise<Outcome>} */
async function run(check) {
  const prerequisite = check.after === undefined ? undefined : outcomes.get(check.after)
  if (prerequisite !== undefined && (await prerequisite) !== 'passed') {
    console.log(`-  ${check.name} (skipped: ${check.after} did not pass)`)
    return 'skipped'
  }
  await seat()
  const startedMs = performance.now()
  const { code, output } = await execute(check.command)
  const next = waiting.shift()
  if (next === undefined) free++
  else next()
  const seconds = ((performance.now() - startedMs) / 1000).toFixed(1)
  console.log(`${code === 0 ? 'ok' : 'FAILED'}  ${check.name} (${seconds} s)`)
  if (code === 0) return 'passed'
  console.log(`   ${check.command.join(' ')}\n${output.trimEnd()}\n`)
  return 'failed'
}

/** Resolves when one of the machine's seats is this caller's; a finished check hands its seat on. */
async function seat() {
  if (free > 0) free--
  else await new Promise((resolve) => waiting.push(() => resolve(undefined)))
}

/** @param {string[]} command @returns {Promise<{ code: number | null, output: string }>} */
function execute([file = '', ...args]) {
  return new Promise((resolve) => {
    let output = ''
    const child = spawn(file, args, {
      cwd: root,
      env,
      stdio: ['ignore', 'pipe', 'pipe'],
      shell: process.platform === 'win32',
    })
    child.stdout.on('data', (bytes) => (output += bytes))
    child.stderr.on('data', (bytes) => (output += bytes))
    child.on('error', (error) => resolve({ code: 1, output: String(error) }))
    child.on('close', (code) => resolve({ code, output }))
  })
}
