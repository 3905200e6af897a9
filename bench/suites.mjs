// Whole runs of real test runners: the same tests with a hand-written mock, with a tape, with a peer.
import { spawn } from 'node:child_process'
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { runnerFolder } from '../scripts/runner-versions.mjs'
import { answerOf, requestBody } from './answers.mjs'
import { profileOf } from './bench.mjs'
import { loadHarness } from './measure/child.mjs'
import { partsOf } from './measure/profile.mjs'
import { packageFolder, root } from './package-build.mjs'
import { modelBase, route } from './peers/replay-peers.mjs'

/** @typedef {'vitest' | 'jest'} RunnerName @typedef {'mock' | 'tape' | 'least' | 'nock' | 'msw'} Variant `least`: a bare test that reads its cassette */
/** @typedef {{ runner: RunnerName, variant: Variant, files: number, testsOfFile: number, node: string }} Suite */
/** @typedef {{ wallMs: number, testMs: number, setUpMs: number | undefined }} Ran `testMs`: a test, inside of its file; `setUpMs`: a file, as the runner says */

export const runnerVersions = /** @type {const} */ ({ vitest: '4.1.12', jest: '30.5.2' })

/** Makes the project of a suite, cassettes included. @param {Suite} suite @returns {Promise<Project>} */
export async function makeProject(suite) {
  const found = await runnerFolder({ name: suite.runner, version: runnerVersions[suite.runner] })
  if ('missing' in found) throw new Error(found.missing)
  // Not below node_modules, where Jest finds no tests.
  const folder = realpathSync(mkdtempSync(path.join(tmpdir(), 'suite-')))
  const modules = path.join(folder, 'node_modules')
  mkdirSync(modules, { recursive: true })
  link(path.join(root, 'bench/node_modules'), modules, ['nock', 'msw'])
  link(path.join(root, 'node_modules'), modules, Object.keys(JSON.parse(read('package.json')).dependencies))
  link(path.join(found.folder, 'node_modules'), modules, readdirSync(path.join(found.folder, 'node_modules')))
  cpSync(packageFolder, path.join(modules, 'turntape'), { recursive: true })
  for (const [name, text] of Object.entries(filesOf(suite))) {
    mkdirSync(path.dirname(path.join(folder, name)), { recursive: true })
    writeFileSync(path.join(folder, name), text)
  }
  if (suite.variant === 'tape' || suite.variant === 'least') await writeCassettes(folder, suite)
  return new Project(folder, suite)
}

class Project {
  /** @param {string} folder @param {Suite} suite */
  constructor(folder, suite) {
    this.folder = folder
    this.suite = suite
  }

  /** Where the time of a test goes: one run more, of one file, under a profiler. */
  async profile() {
    const { testMs } = await this.run({ SUITE_PROFILE: '1' })
    const profile = JSON.parse(readFileSync(path.join(this.folder, 'profile.json'), 'utf8'))
    return profileOf(partsOf(profile), Number(testMs.toPrecision(3)))
  }

  /** One run; every test must pass. @param {Record<string, string>} [variables] @returns {Promise<Ran>} */
  async run(variables) {
    const { runner, files, testsOfFile, node } = this.suite
    rmSync(path.join(this.folder, 'times'), { recursive: true, force: true })
    mkdirSync(path.join(this.folder, 'times'))
    const args =
      runner === 'vitest'
        ? ['node_modules/vitest/vitest.mjs', 'run', '--pool=forks', '--maxWorkers=2', '--reporter=default']
        : // Jest runs few quick files in its own process, unless workers are asked for by a limit.
          ['node_modules/jest/bin/jest.js', '--maxWorkers=2', '--workerIdleMemoryLimit=4GB', '--silent']
    const start = performance.now()
    const { code, output } = await execute({ node, args, folder: this.folder, variables })
    const wallMs = performance.now() - start
    if (code !== 0) throw new Error(output.slice(-2000))
    const times = readdirSync(path.join(this.folder, 'times')).map((name) =>
      Number(readFileSync(path.join(this.folder, 'times', name), 'utf8')),
    )
    if (times.length !== files) throw new Error(`${times.length} of ${files} files ran\n${output.slice(-2000)}`)
    const testMs = times.reduce((sum, ms) => sum + ms, 0) / (files * testsOfFile)
    const setUp = /setup ([\d.]+)(ms|s)/.exec(output)
    const setUpMs = setUp === null ? undefined : (Number(setUp[1]) * (setUp[2] === 's' ? 1000 : 1)) / files
    return { wallMs, testMs, setUpMs }
  }

  remove() {
    rmSync(this.folder, { recursive: true, force: true })
  }
}

/** @param {string} from @param {string} to @param {readonly string[]} names */
function link(from, to, names) {
  for (const name of names.filter((name) => !name.startsWith('.'))) {
    try {
      symlinkSync(path.join(from, name), path.join(to, name), 'junction')
    } catch {
      // The first one stands.
    }
  }
}

/** @param {string} name */
function read(name) {
  return readFileSync(path.join(root, name), 'utf8')
}

/** @param {{ node: string, args: readonly string[], folder: string, variables: Record<string, string> | undefined }} what @returns {Promise<{ code: number | null, output: string }>} */
function execute({ node, args, folder, variables }) {
  const env = { ...process.env, CI: '1', NO_COLOR: '1', FORCE_COLOR: undefined, TURNTAPE_MODE: undefined, ...variables }
  const child = spawn(node, args, { cwd: folder, env, stdio: ['ignore', 'pipe', 'pipe'] })
  let output = ''
  child.stdout.on('data', (text) => (output += text))
  child.stderr.on('data', (text) => (output += text))
  return new Promise((done) => child.on('close', (code) => done({ code, output })))
}

/** @param {string} folder @param {Suite} suite */
async function writeCassettes(folder, { files, testsOfFile }) {
  const { writeRecording } = await loadHarness()
  for (let file = 0; file < files; file++) {
    for (let test = 0; test < testsOfFile; test++) {
      const number = file * testsOfFile + test
      const question = /** @type {const} */ ({ kind: 'json', chunks: 1, number })
      const exchange = { url: modelBase + route, body: JSON.stringify(requestBody(question)), ...answerOf(question) }
      await writeRecording(folder, `test/f${file}.test/number-${number}`, [exchange])
    }
  }
}

/** @param {Suite} suite @returns {Record<string, string>} */
function filesOf(suite) {
  const { runner, variant, files } = suite
  const tests = Array.from({ length: files }, (_, file) => [`test/f${file}.test.js`, testFile(suite, file)])
  const ofRunner = runner === 'vitest' ? vitestFiles(variant) : jestFiles(variant)
  // Both runners read the answers and questions of the bench as they are.
  const shared = [
    ['answers.js', read('bench/answers.mjs').replace('../scripts/made-up-words.mjs', './made-up-words.js')],
    ['made-up-words.js', read('scripts/made-up-words.mjs')],
    ['visit.js', read('bench/peers/visit.mjs')],
  ].map(([name = '', text = '']) => [name, runner === 'vitest' ? text : asCommonJs(text)])
  return { ...Object.fromEntries(shared), ...ofRunner, ...Object.fromEntries(tests) }
}

/** Of the two forms that these files have: named imports and exported functions. @param {string} module */
function asCommonJs(module) {
  const names = [...module.matchAll(/^export function (\w+)/gm)].map(([, name]) => name)
  const required = module.replaceAll(/^import \{ (.+) \} from '(.+)'$/gm, (_, imported, from) => {
    return `const { ${imported.replaceAll(' as ', ': ')} } = require('${from}')`
  })
  return `${required.replaceAll(/^export /gm, '')}\nmodule.exports = { ${names.join(', ')} }\n`
}

/** @param {Variant} variant */
function vitestFiles(variant) {
  const config = `import { replayPlugin } from 'turntape/vitest'\nexport default { plugins: [replayPlugin()] }\n`
  return {
    'package.json': '{ "name": "suite", "private": true, "type": "module" }\n',
    'vitest.config.js': variant === 'tape' ? config : 'export default {}\n',
  }
}

/** @param {Variant} variant */
function jestFiles(variant) {
  const preset = variant === 'tape' ? { preset: 'turntape/jest' } : {}
  return {
    'package.json': '{ "name": "suite", "private": true }\n',
    'jest.config.json': JSON.stringify({ ...preset, transform: {} }),
  }
}

/** @param {Suite} suite @param {number} file */
function testFile({ runner, variant, testsOfFile }, file) {
  const first = file * testsOfFile
  const isVitest = runner === 'vitest'
  const take = (/** @type {string} */ names, /** @type {string} */ from) =>
    isVitest ? `import { ${names} } from '${from}'` : `const { ${names} } = require('${from}')`
  const lines = [
    isVitest ? take('afterAll, beforeAll, expect', 'vitest') : '',
    variant === 'tape' ? take('test', `turntape/${runner}`) : isVitest ? take('test', 'vitest') : '',
    take(variant === 'least' ? 'readFileSync, writeFileSync' : 'writeFileSync', 'node:fs'),
    take('Session', 'node:inspector/promises'),
    take('answerOf, requestBody', '../answers.js'),
    ...mocks[variant].top.map(([names = '', from = '']) => take(names, from)),
    `
let start
const profiler = process.env.SUITE_PROFILE ? new Session() : undefined
beforeAll(async () => {
  profiler?.connect()
  await profiler?.post('Profiler.enable')
  await profiler?.post('Profiler.start')
  start = performance.now()
})
afterAll(async () => {
  writeFileSync('times/${file}', String(performance.now() - start))
  const stopped = await profiler?.post('Profiler.stop')
  if (stopped) writeFileSync('profile.json', JSON.stringify(stopped.profile))
})
${mocks[variant].before}
for (let number = ${first}; number < ${first + testsOfFile}; number++) {
  test('number ' + number, async () => {
    const question = { kind: 'json', chunks: 1, number }
    ${mocks[variant].inTest.replaceAll('FILE', String(file))}
    const body = JSON.stringify(requestBody(question))
    const headers = { 'content-type': 'application/json' }
    const response = await fetch('${modelBase}${route}', { method: 'POST', body, headers })
    expect((await response.json()).choices[0].message.content).toHaveLength(200)
  })
}`,
  ]
  return `${lines.filter((line) => line !== '').join('\n')}\n`
}

const init = "{ status: 200, headers: { 'content-type': 'application/json' } }"

/** @type {Record<Variant, { top: string[][], before: string, inTest: string }>} */
const mocks = {
  tape: { top: [], before: '', inTest: '' },
  least: {
    top: [['visit', '../visit.js']],
    before: '',
    inTest: `globalThis.fetch = async () => {
      const cassette = JSON.parse(readFileSync('cassettes/test/fFILE.test/number-' + number + '.json', 'utf8'))
      visit(cassette)
      return new Response(JSON.stringify(cassette.interactions[0].response.body.json), ${init})
    }`,
  },
  mock: {
    top: [],
    before: '',
    inTest: `globalThis.fetch = async () => new Response(answerOf(question).chunks[0], ${init})`,
  },
  nock: {
    top: [['default as nock', 'nock']],
    before: 'afterAll(() => nock.restore())',
    inTest: `nock('${modelBase}').post('${route}').reply(200, answerOf(question).chunks[0], { 'content-type': 'application/json' })`,
  },
  msw: {
    top: [
      ['http, HttpResponse', 'msw'],
      ['setupServer', 'msw/node'],
    ],
    before: 'const server = setupServer()\nbeforeAll(() => server.listen())\nafterAll(() => server.close())',
    inTest: `server.use(http.post('${modelBase}${route}', () => new HttpResponse(answerOf(question).chunks[0], ${init})))`,
  },
}
