// @ts-check
/**
 * `npm run demo`: the example agent recorded, replayed and caught diverging, by a real Vitest, in a project of its own.
 * Needs no key and no network but for `npm ci`; exits 0 only if each step did what it should. The project stands in the
 * temporary folder, with the package built from this source, and is removed at the end (`--keep` leaves it there).
 */
import { spawn, spawnSync } from 'node:child_process'
import {
  closeSync,
  copyFileSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { stripVTControlCharacters } from 'node:util'
import { ensureInstalled } from './ensure-installed.mjs'

const root = fileURLToPath(new URL('..', import.meta.url))
const cassette = 'cassettes/agent.test/books-the-cheapest-flight.json'
const colours = process.stdout.isTTY && process.env.NO_COLOR === undefined
const startedMs = performance.now()

if (!ensureInstalled()) process.exit(1)
const project = mkdtempSync(path.join(realpathSync(tmpdir()), 'turntape-demo-'))
try {
  createProject()
  await record()
  replay()
  diverge()
  const seconds = Math.round((performance.now() - startedMs) / 1000)
  headline(`Done, in ${seconds} s`)
  say('Read next: README.md, the agent and its test in examples/flight-agent/, then docs/architecture.md.')
} catch (error) {
  console.error(`\nThe demo failed: ${error instanceof Error ? error.message : error}`)
  process.exitCode = 1
} finally {
  if (process.argv.includes('--keep')) say(`The project is in ${project}`)
  else rmSync(project, { recursive: true, force: true })
}

async function record() {
  headline('1. First run: a model, an agent, no cassette yet')
  const model = await startModel()
  try {
    const { code, output } = vitest({ OPENAI_BASE_URL: model.url, OPENAI_API_KEY: 'sk-demo-is-not-a-real-key' })
    const { calls } = /** @type {{ calls: number }} */ (await (await fetch(new URL('/stats', model.url))).json())
    say(`The model answered ${calls} calls; they, and the booking, are in ${cassette}:`)
    must(code === 0 && /Cassettes +1 written/.test(output) && calls === 3, 'the first run should record three calls')
  } finally {
    await model.stop()
  }
  const shown = run(['node_modules/turntape/dist/cli.js', 'show', cassette], {})
  must(shown.code === 0 && shown.output.includes('book_flight'), 'turntape show should print the cassette')
}

function replay() {
  headline('2. Every later run: the model is stopped, no key is set')
  const before = readCassette()
  const { code, output } = vitest({})
  must(code === 0 && /Cassettes +1 replayed/.test(output), 'the second run should replay')
  must(readCassette() === before, 'a replay should leave the cassette as it is')
}

function diverge() {
  headline('3. One word of the prompt changes: cheapest → fastest')
  const agent = path.join(project, 'agent.ts')
  const source = readFileSync(agent, 'utf8')
  must(source.split('cheapest').length === 2, 'the prompt should hold the word once')
  writeFileSync(agent, source.replace('cheapest', 'fastest'))
  const before = readCassette()
  const { code, output } = vitest({})
  must(code === 1 && output.includes('TURNTAPE_DIVERGED'), 'the changed prompt should fail the test')
  must(/- .*cheapest/.test(output) && /\+ .*fastest/.test(output), 'the message should show the changed word')
  must(readCassette() === before, 'a divergence should leave the cassette as it is')
}

/** The example, with this package installed as a user has it and everything else linked. */
function createProject() {
  cpSync(path.join(root, 'examples/flight-agent'), project, { recursive: true })
  rmSync(path.join(project, 'cassettes'), { recursive: true, force: true })
  const modules = path.join(project, 'node_modules')
  mkdirSync(modules)
  for (const name of readdirSync(path.join(root, 'node_modules'))) {
    if (!name.startsWith('.')) symlinkSync(path.join(root, 'node_modules', name), path.join(modules, name), 'junction')
  }
  const installed = path.join(modules, 'turntape')
  mkdirSync(installed)
  copyFileSync(path.join(root, 'package.json'), path.join(installed, 'package.json'))
  // Types take most of a build's time, and nothing here reads them.
  const build = [
    'node_modules/tsup/dist/cli-default.js',
    '--no-dts',
    '--silent',
    '--out-dir',
    path.join(installed, 'dist'),
  ]
  const { status } = spawnSync(process.execPath, build, { cwd: root, stdio: 'inherit' })
  must(status === 0, 'the package should build')
}

/** @returns {Promise<{ url: string, stop: () => Promise<void> }>} */
function startModel() {
  const child = spawn(process.execPath, ['model.mjs', '0'], { cwd: project, stdio: ['ignore', 'pipe', 'inherit'] })
  const ended = new Promise((resolve) => child.on('close', resolve))
  return new Promise((resolve, reject) => {
    ended.then(() => reject(new Error('the model should print where it listens')))
    child.stdout.once('data', (text) => {
      const stop = async () => {
        child.kill()
        await ended
      }
      resolve({ url: String(text).trim(), stop })
    })
  })
}

/** @param {NodeJS.ProcessEnv} env */
function vitest(env) {
  return run(['node_modules/vitest/vitest.mjs', 'run'], env)
}

/**
 * Runs Node in the project and shows what it printed, both streams in one order. `TURNTAPE_MODE` is set since in CI
 * nothing is recorded unless it says so, and the demo is to run there too; on a desk `auto` is the default anyway.
 * @param {string[]} args @param {NodeJS.ProcessEnv} env
 */
function run(args, env) {
  const { OPENAI_API_KEY: _key, OPENAI_BASE_URL: _url, ...own } = process.env
  const file = path.join(project, 'node_modules', 'output.log')
  const log = openSync(file, 'w')
  const { status } = spawnSync(process.execPath, args, {
    cwd: project,
    env: { ...own, TURNTAPE_MODE: 'auto', ...(colours ? { FORCE_COLOR: '1' } : { NO_COLOR: '1' }), ...env },
    stdio: ['ignore', log, log],
    timeout: 60_000,
  })
  closeSync(log)
  const text = readFileSync(file, 'utf8')
  process.stdout.write(text)
  return { code: status, output: stripVTControlCharacters(text) }
}

function readCassette() {
  return readFileSync(path.join(project, cassette), 'utf8')
}

/** @param {string} text */
function headline(text) {
  const line = `━━ ${text} ${'━'.repeat(Math.max(3, 76 - text.length))}`
  console.log(`\n${colours ? `\u001b[1m${line}\u001b[22m` : line}`)
}

/** @param {string} text */
function say(text) {
  console.log(`\n${text}\n`)
}

/** @param {boolean} condition @param {string} what */
function must(condition, what) {
  if (!condition) throw new Error(what)
}
