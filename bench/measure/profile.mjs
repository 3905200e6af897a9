// Where processor time goes, by source file: a sampled stack counts for the innermost file of ours on it, unless one that is not
// ours stands further in: what we call to do the caller's work is the caller's.
import { readFileSync } from 'node:fs'
import { Session } from 'node:inspector/promises'
import { fileURLToPath } from 'node:url'

/** @typedef {{ name: string, share: number }} Part `share`: of the time that was sampled, without what the process waited */
/** @typedef {{ line: number, source: string }} Start of a source file in a bundle */

const everyMicroseconds = 100
/** Between two samples that lie further apart the process did not run: it is the machine's time, not that of the function it stood in. */
const longestMicroseconds = 10 * everyMicroseconds
const caller = 'Node and the caller'

/** @param {() => unknown} work @returns {Promise<Part[]>} largest first */
export async function profiled(work) {
  const session = new Session()
  session.connect()
  try {
    await session.post('Profiler.enable')
    await session.post('Profiler.setSamplingInterval', { interval: everyMicroseconds })
    await session.post('Profiler.start')
    await work()
    const { profile } = await session.post('Profiler.stop')
    return partsOf(profile)
  } finally {
    session.disconnect()
  }
}

/** @param {import('node:inspector').Profiler.Profile} profile @returns {Part[]} */
export function partsOf(profile) {
  const nodes = new Map(profile.nodes.map((node) => [node.id, node]))
  const parents = new Map(profile.nodes.flatMap(({ id, children = [] }) => children.map((child) => [child, id])))
  /** @type {Map<string, number>} */
  const times = new Map()
  for (const [at, id] of (profile.samples ?? []).entries()) {
    const name = partOf(id)
    if (name !== undefined)
      times.set(name, (times.get(name) ?? 0) + Math.min(profile.timeDeltas?.[at] ?? 0, longestMicroseconds))
  }
  const all = [...times.values()].reduce((sum, time) => sum + time, 0)
  return [...times].map(([name, time]) => ({ name, share: time / all })).sort((a, b) => b.share - a.share)

  /** @param {number} leaf @returns {string | undefined} */
  function partOf(leaf) {
    const { functionName, url } = nodes.get(leaf)?.callFrame ?? {}
    if (functionName === '(idle)' || functionName === '(program)' || url === 'node:inspector') return undefined
    if (functionName === '(garbage collector)') return 'collecting garbage'
    for (let id = /** @type {number | undefined} */ (leaf); id !== undefined; id = parents.get(id)) {
      const frame = nodes.get(id)?.callFrame
      if (frame?.url.startsWith('file:')) return sourceOf(frame) ?? caller
      const part = loading.get(frame?.functionName ?? '')
      if (part !== undefined) return part
    }
    return caller
  }
}

/** What Node does to load a module, by functions of its own. @type {ReadonlyMap<string, string>} */
const loading = new Map([
  ['compileSourceTextModule', 'compiling modules'],
  ...['compileForInternalLoader', 'compileForPublicLoader', 'syncExports', 'requireBuiltin'].map(
    (name) => /** @type {[string, string]} */ ([name, 'modules of Node']),
  ),
  ...['defaultResolve', 'defaultLoadSync', 'defaultLoad', 'getSource', 'getOrCreateModuleJob', 'resolveSync'].map(
    (name) => /** @type {[string, string]} */ ([name, 'finding and reading files']),
  ),
  ...['link', 'syncLink', 'instantiate', '#asyncInstantiate', 'addJobsToDependencyGraph', '_link'].map(
    (name) => /** @type {[string, string]} */ ([name, 'linking modules']),
  ),
])

/** @type {Map<string, Start[]>} */
const bundles = new Map()

/** The source file, `core/json/parse-json`, of a function in a bundle of ours. @param {import('node:inspector').Runtime.CallFrame} frame */
function sourceOf({ url, lineNumber }) {
  const starts = bundles.get(url) ?? startsIn(url)
  bundles.set(url, starts)
  return starts.findLast(({ line }) => line <= lineNumber)?.source
}

/** A late file is the body of a `new Function`, which has a head of so many lines. */
const linesOfFunction = 2

/** The bundler names each file before its lines. @param {string} url @returns {Start[]} */
function startsIn(url) {
  const lines = readFileSync(fileURLToPath(url), 'utf8').split('\n')
  const above = url.endsWith('.cjs') ? linesOfFunction : 0
  return lines.flatMap((text, line) => {
    const source = /^\/\/ (?:src\/|stand-in:|given:)?(\S+)\.m?[jt]s$/.exec(text)?.[1]
    return source === undefined ? [] : [{ line: line + above, source }]
  })
}
