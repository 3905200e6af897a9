// What importing costs.
import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { figureOf, isWithin, peerFigures } from '../bench.mjs'
import { packageFolder } from '../package-build.mjs'

/** @type {Record<string, readonly string[]>} */
const peerModules = {
  nock: ['nock'],
  msw: ['msw', 'msw/node'],
  Polly: ['@pollyjs/core', '@pollyjs/adapter-fetch'],
  'vcr-test': ['vcr-test'],
  'fetch-vcr': ['fetch-vcr'],
  undici: ['undici'],
  aimock: ['@copilotkit/aimock'],
}

/** As the bundler writes them: whole statements at the beginning of a line. */
const importOrExport = /^(?:import(?!\()|export)\b[^;]*;/gm

const entries = [
  {
    id: 'import-vitest',
    name: '`turntape/vitest`, in a worker that has Vitest',
    file: 'vitest.js',
    before: ['vitest'],
    environment: { VITEST_WORKER_ID: '1' },
  },
  { id: 'import-jest', name: '`turntape/jest`, what it loads once a worker', file: 'jest-core.js', before: [] },
  { id: 'import-index', name: '`turntape`', file: 'index.js', before: [] },
]

/** @type {readonly import('../rows.mjs').Row[]} */
export const importRows = entries.map(({ id, name, file, before, environment = {} }, at) => ({
  id,
  figures: [id],
  alone: true,
  async measure(bench) {
    const names = bench.peers(at === 0 ? Object.keys(peerModules) : [])
    const entry = path.join(packageFolder, 'dist', file)
    /** @type {Record<string, readonly string[]>} */
    const modules = { ...peerModules, ours: [urlOf(entry)], least: [urlOf(neverRun(entry, bench.newFolder()))] }
    const ask = (/** @type {string} */ subject) => {
      const [module, ...also] = [...(modules[subject] ?? [])].reverse()
      return { module, also, before: before.map(fromRoot), environment }
    }
    const rounds = await bench.inRounds({
      own: ['ours', 'least'],
      peers: names,
      seconds: 20,
      measure: (subject) => bench.child('import', ask(subject)),
      figureIn: ({ ms }) => ms,
    })
    const ours = figureOf(rounds, 'ours')
    return [
      {
        id,
        group: 'Import, above an empty module; Node’s own undici apart',
        what: name,
        unit: 'ms',
        goal: '≤ 15 ms',
        ours,
        met: isWithin(ours, 15),
        least: {
          what: 'as much code in one module, compiled and not run',
          spread: figureOf(rounds, 'least'),
        },
        peers: peerFigures(rounds, names),
        ...(await bench.partsOf('import', ask('ours'), ours)),
      },
    ]
  },
}))

/** @param {string} file */
function urlOf(file) {
  return pathToFileURL(file).href
}

/** All that an entry loads at once, as one module of which no line runs. @param {string} entry @param {string} folder where it is written */
function neverRun(entry, folder) {
  const files = new Set([entry])
  let code = ''
  for (const file of files) {
    const text = readFileSync(file, 'utf8')
    for (const [statement] of text.matchAll(importOrExport)) {
      const other = /"(\.[^"]+)";$/.exec(statement)?.[1]
      if (other !== undefined) files.add(path.join(path.dirname(file), other))
    }
    code += `{\n${text.replaceAll(importOrExport, '')}\n}\n`
  }
  const written = path.join(folder, 'never-run.js')
  writeFileSync(written, `export async function neverRun() {\n${code}}\n`)
  return written
}

/** A package of the project, which the bench has not installed. @param {string} name */
function fromRoot(name) {
  return import.meta.resolve(name, new URL('../../package.json', import.meta.url).href)
}
