// What an installation takes: unpacked bytes with all that it depends on, read from what is installed here.
import { readdirSync, readFileSync, statSync } from 'node:fs'
import path from 'node:path'
import { packageFolder, root } from '../package-build.mjs'
import { bytesBelow } from '../peers/recorders.mjs'
import { spread } from '../statistics.mjs'

const peerPackages = {
  nock: ['nock'],
  msw: ['msw'],
  Polly: ['@pollyjs/core', '@pollyjs/adapter-fetch', '@pollyjs/persister-fs'],
  'vcr-test': ['vcr-test'],
  'fetch-vcr': ['fetch-vcr'],
  undici: ['undici'],
  aimock: ['@copilotkit/aimock'],
}

/** @type {import('../rows.mjs').Row} */
export const installedRow = {
  id: 'installed',
  figures: ['installed'],
  alone: false,
  async measure(bench) {
    const own = Object.keys(JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8')).dependencies)
    const ours = closureOf(root, own)
    const ownBytes = bytesBelow(packageFolder)
    const names = bench.peers(Object.keys(peerPackages))
    const peers = names.map((name) => {
      const { bytes, packages } = closureOf(
        path.join(root, 'bench'),
        peerPackages[/** @type {keyof typeof peerPackages} */ (name)],
      )
      return {
        name: `${name} (${packages} ${packages === 1 ? 'package' : 'packages'})`,
        spread: spread([kilobytes(bytes)]),
      }
    })
    return [
      {
        id: 'installed',
        group: 'Installed, with all dependencies',
        what: 'unpacked size, and the number of packages',
        unit: 'KB',
        note: `${kilobytes(ownBytes).toLocaleString('en')} KB of it our own; ${ours.packages + 1} packages`,
        ours: spread([kilobytes(ownBytes + ours.bytes)]),
        peers,
      },
    ]
  },
}

/** These packages and all that they need, once each. @param {string} folder @param {readonly string[]} names */
function closureOf(folder, names) {
  const seen = new Map()
  const visit = (/** @type {string} */ name, /** @type {string} */ from) => {
    const place = findPackage(name, from)
    if (place === undefined || seen.has(place)) return
    seen.set(place, ownBytesOf(place))
    const { dependencies = {} } = JSON.parse(readFileSync(path.join(place, 'package.json'), 'utf8'))
    for (const needed of Object.keys(dependencies)) visit(needed, place)
  }
  for (const name of names) visit(name, folder)
  return { packages: seen.size, bytes: [...seen.values()].reduce((sum, bytes) => sum + bytes, 0) }
}

/** As Node looks for it. @param {string} name @param {string} from @returns {string | undefined} */
function findPackage(name, from) {
  const place = path.join(from, 'node_modules', name)
  if (statSync(path.join(place, 'package.json'), { throwIfNoEntry: false }) !== undefined) return place
  const above = path.dirname(from)
  return above === from ? undefined : findPackage(name, above)
}

/** Without packages inside of it. @param {string} place */
function ownBytesOf(place) {
  const entries = readdirSync(place).filter((entry) => entry !== 'node_modules')
  return entries.reduce((sum, entry) => {
    const found = statSync(path.join(place, entry))
    return sum + (found.isDirectory() ? bytesBelow(path.join(place, entry)) : found.size)
  }, 0)
}

/** @param {number} bytes */
function kilobytes(bytes) {
  return Math.round(bytes / 1024)
}
