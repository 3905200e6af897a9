// @ts-check
/**
 * `npm run census`: every client of `census/` against a model server that is there and then is not, on two Node lines; writes
 * `census/results.json` and the tables of `docs/clients.md`. Installs the clients the first time. `node
 * scripts/census.mjs clients openai` (or `neighbours msw`) runs the files whose name holds a word, and prints what it found instead.
 */
import { spawn } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { runnerImport } from 'vite'
import { buildPackage } from './build-package.mjs'
import { ensureInstalled } from './ensure-installed.mjs'
import { nodeBinary } from './node-versions.mjs'

/** @typedef {import('./census/judge-cells.ts')} Judge */
/** @typedef {import('./census/judge-neighbours.ts')} JudgeNeighbours */
/** @typedef {{ node: string, folder: 'clients' | 'neighbours', runner: 'vitest' | 'jest', words: string[] }} Files */
/** @typedef {'recorded' | 'replayed' | 'alone'} RunName */

const root = fileURLToPath(new URL('..', import.meta.url))
const census = path.join(root, 'census')
const before = pathToFileURL(path.join(census, 'harness', 'before.mjs')).href
const scratch = path.join(census, 'node_modules', '.cache', 'census')
const nodeVersions = ['24.21.0', '20.20.2']
const [part, ...words] = process.argv.slice(2)

if (!ensureInstalled(census)) process.exit(1)
const installed = path.join(census, 'node_modules', 'turntape')
rmSync(installed, { recursive: true, force: true })
mkdirSync(installed)
buildPackage(installed)

const { judgeCells } = /** @type {Judge} */ (await load('scripts/census/judge-cells.ts'))
const { judgeNeighbours } = /** @type {JudgeNeighbours} */ (await load('scripts/census/judge-neighbours.ts'))
const { openCassette } = await load('src/session/open-cassette.ts')
const { selfSigned } = await load('test/clients/self-signed.ts')
const { startModelServers } = await import(pathToFileURL(path.join(census, 'server', 'model-server.mjs')).href)
const { answerText, words: streamedWords } = await import(pathToFileURL(path.join(census, 'server', 'wires.mjs')).href)

/** @type {Record<string, ReturnType<Judge['judgeCells']>>} */
const nodes = {}
/** @type {ReturnType<JudgeNeighbours['judgeNeighbours']>[number][]} */
const neighbours = []
for (const version of part === 'neighbours' ? [] : nodeVersions) {
  const runs = await bothRuns({ node: await binaryOf(version), folder: 'clients', runner: 'vitest', words })
  nodes[version] = judgeCells({
    ...runs,
    words: streamedWords,
    open: openIfThere,
  })
}
/** @type {('vitest' | 'jest')[]} */
const runners = part === 'clients' ? [] : ['vitest', 'jest']
for (const runner of runners) {
  // A process each: what they patch stays patched, and Jest's workers go on to the next file.
  for (const file of readdirSync(path.join(census, 'neighbours'))) {
    if (words.length > 0 && !words.some((word) => file.includes(word))) continue
    const node = await binaryOf(nodeVersions[0] ?? '')
    /** @type {Files} */
    const files = { node, folder: 'neighbours', runner, words: [file] }
    neighbours.push(...judgeNeighbours({ runner, sentAlone: await sentAlone(files), ...(await bothRuns(files)) }))
  }
}
rmSync(path.join(census, 'cassettes'), { recursive: true, force: true })
if (part !== undefined) console.log(JSON.stringify({ nodes, neighbours }, null, 1))
else writeResults()

/** What the tables of the documents are made of. */
function writeResults() {
  const { dependencies } = JSON.parse(readFileSync(path.join(census, 'package.json'), 'utf8'))
  const used = new Set([...Object.values(nodes).flat(), ...neighbours].map((row) => row.package))
  const packages = Object.keys(dependencies).flatMap((name) => {
    if (!used.has(name)) return []
    const file = path.join(census, 'node_modules', name, 'package.json')
    const { version, engines } = JSON.parse(readFileSync(file, 'utf8'))
    return [[name, { version, node: engines?.node }]]
  })
  const results = { nodes, neighbours, packages: Object.fromEntries(packages) }
  writeFileSync(path.join(census, 'results.json'), `${JSON.stringify(results, null, 1)}\n`)
}

/** @param {string} cassette */
function openIfThere(cassette) {
  const file = path.join(census, cassette)
  return existsSync(file) ? openCassette(file) : undefined
}

/** @param {string} version */
async function binaryOf(version) {
  const found = await nodeBinary(version)
  if ('missing' in found) throw new Error(found.missing)
  return found.binary
}

/** Records, and replays without the servers. @param {Files} files */
async function bothRuns(files) {
  clean()
  const servers = await startModelServers(selfSigned())
  const recorded = await runTests({ ...files, run: 'recorded', ports: servers.ports })
  await servers.stop()
  const replayed = await runTests({ ...files, run: 'replayed', ports: servers.ports })
  return { recorded, replayed, sent: servers.log, answerText }
}

/** What the server gets of the same tests without a tape. @param {Files} files */
async function sentAlone(files) {
  clean()
  const servers = await startModelServers(selfSigned())
  await runTests({ ...files, run: 'alone', ports: servers.ports })
  await servers.stop()
  return servers.log
}

function clean() {
  const pending = path.join(census, 'node_modules', '.cache', 'turntape')
  for (const folder of [scratch, pending, path.join(census, 'cassettes')])
    rmSync(folder, { recursive: true, force: true })
  mkdirSync(scratch, { recursive: true })
}

/** @param {Files & { run: RunName, ports: object }} options */
async function runTests({ node, folder, runner, words, run, ports }) {
  const seenFolder = path.join(scratch, run)
  mkdirSync(seenFolder)
  const report = path.join(scratch, `${run}.json`)
  const args = [...(runner === 'jest' ? jestArguments(report) : vitestArguments({ report, folder })), ...words]
  const env = { CENSUS_RUN: run, CENSUS_RUNNER: runner, CENSUS_SEEN: seenFolder, CENSUS_PORTS: JSON.stringify(ports) }
  await runNode({ node, args, env: run === 'replayed' ? { ...env, CI: 'true' } : env })
  const seen = readdirSync(seenFolder).map((file) => JSON.parse(readFileSync(path.join(seenFolder, file), 'utf8')))
  return { seen, failures: failuresOf(JSON.parse(readFileSync(report, 'utf8'))) }
}

/** @param {{ report: string, folder: string }} options */
function vitestArguments({ report, folder }) {
  const vitest = path.join(census, 'node_modules', 'vitest', 'vitest.mjs')
  return [vitest, 'run', '--dir', folder, '--reporter=json', `--outputFile.json=${report}`]
}

/** @param {string} report */
function jestArguments(report) {
  const jest = path.join(census, 'node_modules', 'jest', 'bin', 'jest.js')
  return ['--experimental-vm-modules', jest, '--json', `--outputFile=${report}`, '--forceExit', '--silent']
}

/**
 * @param {{ testResults: { message: string, assertionResults: { ancestorTitles: string[], title: string, failureMessages: string[] }[] }[] }} report
 */
function failuresOf({ testResults }) {
  for (const { message, assertionResults } of testResults) if (assertionResults.length === 0) console.error(message)
  const failed = testResults
    .flatMap(({ assertionResults }) => assertionResults)
    .filter(({ failureMessages }) => failureMessages.length > 0)
  return new Map(
    failed.map(({ ancestorTitles, title, failureMessages }) => [
      [...ancestorTitles, title].join(' > '),
      failureMessages.join('\n'),
    ]),
  )
}

/** @param {{ node: string, args: string[], env: Record<string, string> }} options @returns {Promise<void>} */
function runNode({ node, args, env }) {
  const { PATH = '', HOME = '' } = process.env
  const child = spawn(node, args, {
    cwd: census,
    env: { PATH, HOME, NO_COLOR: '1', NODE_NO_WARNINGS: '1', NODE_OPTIONS: `--import=${before}`, ...env },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  return new Promise((resolve, reject) => {
    child.on('error', reject)
    child.on('close', () => resolve())
  })
}

/** @param {string} file */
async function load(file) {
  return (await runnerImport(path.join(root, file), { root, configFile: false, logLevel: 'error' })).module
}
