// What importing costs.
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

const entries = [
  {
    id: 'import-vitest',
    name: '`turntape/vitest`, in a worker that has Vitest',
    file: 'vitest.js',
    before: ['vitest'],
  },
  { id: 'import-jest', name: '`turntape/jest`, what it loads once a worker', file: 'jest-core.js', before: [] },
  { id: 'import-index', name: '`turntape`', file: 'index.js', before: [] },
]

/** @type {readonly import('../rows.mjs').Row[]} */
export const importRows = entries.map(({ id, name, file, before }, at) => ({
  id,
  figures: [id],
  alone: true,
  async measure(bench) {
    const names = bench.peers(at === 0 ? Object.keys(peerModules) : [])
    const own = pathToFileURL(path.join(packageFolder, 'dist', file)).href
    const ask = (/** @type {string} */ subject) => {
      const [module, ...also] = [...(peerModules[subject] ?? [own])].reverse()
      return { module, also, before: before.map(fromRoot) }
    }
    const rounds = await bench.inRounds({
      subjects: ['ours', ...names],
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
        peers: peerFigures(rounds, names),
        ...(await bench.partsOf('import', ask('ours'), ours)),
      },
    ]
  },
}))

/** A package of the project, which the bench has not installed. @param {string} name */
function fromRoot(name) {
  return import.meta.resolve(name, new URL('../../package.json', import.meta.url).href)
}
