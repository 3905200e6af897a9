// @ts-check
/**
 * What loading the package costs is compiling it. So what a set-up or a green replay does not run is compiled when it is first called.
 * An esbuild plugin for the ES modules of the package; the sources import each other as usual and know nothing of it
 * (docs/decisions/0015-late-files.md).
 *
 * - The modules of each group become one file, `late-<group>.cjs`. Other modules that import a function of theirs get one that
 *   loads the file and calls it, at once: much of it is called synchronously. What the group imports of the one chunk, and of the
 *   group that is loaded before every other, it is given, so that state has one copy.
 * - All entries that replay share one chunk, whatever part of it they reach: every further file costs half a millisecond.
 */
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { baseGroup, chunkRoots, groups, listedGroupOf } from './late-groups.mjs'

/** A test may fake these: late files get them as they were when the package was loaded. */
const takenEarly = ['node:fs', 'node:os', 'node:perf_hooks', 'node:timers', 'node:timers/promises']

/** What a module takes when it loads, because a test may replace it later: such a module cannot be late. */
const takesGlobal =
  /^(?:export )?const .* = (?:Date|Date\.now|process\.nextTick|performance\.now\b.*|globalThis\.\w+)$/m

const root = fileURLToPath(new URL('..', import.meta.url))
const source = path.join(root, 'src')
const loader = fileURLToPath(new URL('late-loader.mjs', import.meta.url))

/**
 * @typedef {NonNullable<import('tsup').Options['esbuildPlugins']>[number]} Plugin
 * @typedef {Parameters<Plugin['setup']>[0]} Build
 * @typedef {{ entries: readonly string[], imports: ReadonlyMap<string, readonly string[]>, groupOf: ReadonlyMap<string, string>, shared: ReadonlySet<string>, late: ReadonlySet<string>, given: ReadonlySet<string>, askedFor: ReadonlySet<string> }} Graph
 *   files by absolute path; `imports`: static ones; `shared`: what the one chunk holds; `late`: what late files hold;
 *   `given`: what of the chunk these import; `askedFor`: late modules that entries import
 * @typedef {{ group: string, graph: Graph }} LateFile
 */

/** @returns {Plugin} */
export function lateModules() {
  return {
    name: 'late-modules',
    async setup(build) {
      const graph = await readGraph(build)
      const early = [...graph.late].filter((file) => takesGlobal.test(readFileSync(file, 'utf8'))).map(nameOf)
      if (early.length > 0)
        throw new Error(`${early.join(', ')}: takes a global when it loads, so chunkRoots must list it`)
      standIn(build, { graph, isHere: () => false })
      loadOnCall(build, graph)
      shareOneChunk(build, graph)
      readWhatIsUsed(build)
      leaveOutputClosed(build)
      build.onEnd(async () => {
        await Promise.all(groups.map((group) => writeLateFile(build, { group, graph })))
      })
    },
  }
}

/** @param {Build} build @returns {Promise<Graph>} */
async function readGraph({ esbuild, initialOptions }) {
  const { entryPoints, platform = 'node' } = initialOptions
  const { metafile } = await esbuild.build({
    ...{ entryPoints: entryPoints ?? [], absWorkingDir: root, outdir: 'unwritten', write: false, logLevel: 'silent' },
    ...{ bundle: true, metafile: true, format: 'esm', splitting: true, packages: 'external', platform },
  })
  const absolute = (/** @type {string} */ file) => path.join(root, file)
  const imports = new Map(
    Object.entries(metafile.inputs).map(([file, { imports }]) => [
      absolute(file),
      imports.filter(({ kind, external }) => kind === 'import-statement' && !external).map((one) => absolute(one.path)),
    ]),
  )
  const entries = Object.values(metafile.outputs).flatMap(({ entryPoint }) => entryPoint ?? [])
  return { entries: entries.map(absolute), imports, ...grouped(imports) }
}

/** Below `src`. @param {string} file */
function nameOf(file) {
  return path.relative(source, file).replaceAll('\\', '/')
}

/**
 * What the one chunk holds, which late file each other module is in, and what of the chunk these import.
 * @param {Graph['imports']} imports @returns {Pick<Graph, 'groupOf' | 'shared' | 'late' | 'given' | 'askedFor'>}
 */
function grouped(imports) {
  const groupOf = new Map(
    [...imports.keys()].flatMap((file) => {
      const group = listedGroupOf(nameOf(file))
      return group === undefined ? [] : [[file, group]]
    }),
  )
  const importsOf = (/** @type {string} */ file) => imports.get(file) ?? []
  const isLate = (/** @type {string} */ file) => groupOf.has(file)
  const shared = closure(
    chunkRoots.map((name) => path.join(source, name)),
    (file) => importsOf(file).filter((one) => !isLate(one)),
  )
  const isShared = (/** @type {string} */ file) => shared.has(file)
  const base = [...groupOf].flatMap(([file, group]) => (group === baseGroup ? [file] : []))
  const withBase = closure(base, (file) => importsOf(file).filter((one) => !isLate(one) && !isShared(one)))
  for (const file of withBase) groupOf.set(file, baseGroup)
  const late = closure(groupOf.keys(), (file) => importsOf(file).filter((one) => !isShared(one)))
  const given = new Set([...late].flatMap(importsOf).filter(isShared))
  const entrySide = [...imports.keys()].filter((file) => !isShared(file) && !late.has(file))
  return { groupOf, shared, late, given, askedFor: new Set(entrySide.flatMap(importsOf).filter(isLate)) }
}

/** @param {Iterable<string>} roots @param {(file: string) => Iterable<string>} next @returns {ReadonlySet<string>} */
function closure(roots, next) {
  const found = new Set(roots)
  for (const file of found) for (const other of next(file)) found.add(other)
  return found
}

/** The names that a module exports, by what they are. @param {string} file @returns {ReadonlyMap<string, string>} */
function exportsOf(file) {
  const exported = /^export (?:async )?(function\*?|class|const) (\w+)/gm
  // Overloads have one name.
  return new Map([...readFileSync(file, 'utf8').matchAll(exported)].map(([, kind = '', name = '']) => [name, kind]))
}

/**
 * In the place of late modules: functions that load them.
 * @param {Build} build @param {{ graph: Graph, isHere: (group: string) => boolean }} what `isHere`: they are there, and stay
 */
function standIn(build, { graph: { groupOf }, isHere }) {
  build.onResolve({ filter: /\.ts$/ }, ({ path: imported, resolveDir, kind }) => {
    if (kind === 'entry-point') return undefined
    const file = path.resolve(resolveDir, imported)
    const group = groupOf.get(file)
    if (group === undefined || isHere(group)) return undefined
    // Not its place on this machine: the bundler writes the path down.
    return { path: nameOf(file), namespace: 'stand-in', sideEffects: false }
  })
  build.onLoad({ filter: /.*/, namespace: 'stand-in' }, ({ path: name }) => {
    const file = path.join(source, name)
    const lines = [...exportsOf(file)].map(([member, kind]) => {
      const of = `late(${JSON.stringify(groupOf.get(file))}, ${JSON.stringify(name)}).${member}`
      if (kind === 'const') return ''
      return kind === 'class'
        ? `export const ${member} = lateClass(() => ${of})`
        : `let ${member}Loaded\nexport const ${member} = (...values) => (${member}Loaded ??= ${of})(...values)`
    })
    const imports = ["import { late } from 'late:loader'", `import { lateClass } from ${JSON.stringify(loader)}`]
    return { contents: [...imports, ...lines].join('\n'), resolveDir: root }
  })
}

/** @param {Build} build @param {Graph} graph */
function loadOnCall(build, graph) {
  build.onResolve({ filter: /^late:loader$/ }, () => ({ path: 'loader', namespace: 'loader', sideEffects: false }))
  build.onLoad({ filter: /.*/, namespace: 'loader' }, () => {
    const files = [...graph.given, ...graph.askedFor]
    const given = files.map((file, at) => `${JSON.stringify(nameOf(file))}: given${at}`)
    const taken = takenEarly.flatMap((name, at) =>
      membersUsed(name, graph).map((member) => ({ name, member, as: `early${at}_${member}` })),
    )
    const builtIn = takenEarly.map((name) => {
      const members = taken.flatMap((one) => (one.name === name ? [`${one.member}: ${one.as}`] : []))
      return `${JSON.stringify(name)}: { ${members.join(', ')} }`
    })
    const lines = [
      `import { createLateLoader } from ${JSON.stringify(loader)}`,
      ...files.map((file, at) => `import * as given${at} from ${JSON.stringify(file)}`),
      ...taken.map(({ name, member, as }) => `import { ${member} as ${as} } from ${JSON.stringify(name)}`),
      // A function: modules that import each other in a circle are not all there when this one is.
      `const given = () => ({ ${given.join(', ')} })`,
      `const builtIn = { ${builtIn.join(', ')} }`,
      `const base = ${JSON.stringify(baseGroup)}`,
      'export const late = createLateLoader({ given, builtIn, base, here: import.meta.url })',
    ]
    return { contents: lines.join('\n'), resolveDir: root }
  })
}

/** What late files import of a module of Node. @param {string} module @param {Graph} graph */
function membersUsed(module, { late }) {
  const named = new RegExp(`^import \\{([^}]+)\\} from '${module}'`, 'gm')
  const lists = [...late].flatMap((file) =>
    [...readFileSync(file, 'utf8').matchAll(named)].map(([, list = '']) => list),
  )
  const members = lists.flatMap((list) => list.split(',').map((one) => one.trim().split(' as ')[0] ?? ''))
  return [...new Set(members)].filter((member) => member !== '' && !member.startsWith('type '))
}

/**
 * Modules of Node without their ES module, which reads every member: whatever a member loads when it is first read is then loaded.
 * @param {Build} build
 */
function readWhatIsUsed(build) {
  build.onResolve({ filter: /^node:/ }, ({ path: name }) => ({ path: name, namespace: 'node', sideEffects: false }))
  build.onLoad({ filter: /.*/, namespace: 'node' }, ({ path: name }) => {
    if (name === 'node:process') return { contents: 'export default globalThis.process' }
    const members = Object.keys(process.getBuiltinModule(name) ?? {}).filter((member) => /^\w+$/.test(member))
    const lines = [
      `const module = process.getBuiltinModule(${JSON.stringify(name)})`,
      // A later Node may have members that the one that builds has not.
      'export default module',
      ...members.map((member) => `export const ${member} = /* @__PURE__ */ (() => module.${member})()`),
    ]
    return { contents: lines.join('\n') }
  })
}

/** std-env asks whether standard output is a terminal, which opens it. What we take of it does not need the answer. @param {Build} build */
function leaveOutputClosed(build) {
  build.onLoad({ filter: /[\\/]std-env[\\/]dist[\\/]index\.mjs$/ }, ({ path: file }) => {
    return { contents: readFileSync(file, 'utf8').replaceAll('.stdout?.isTTY', '.noOutput') }
  })
}

/** @param {Build} build @param {Graph} graph */
function shareOneChunk(build, { entries }) {
  build.initialOptions.logOverride = { ...build.initialOptions.logOverride, 'ignored-bare-import': 'silent' }
  build.onResolve({ filter: /^late:chunk$/ }, () => ({ path: 'chunk', namespace: 'chunk', sideEffects: true }))
  build.onLoad({ filter: /.*/, namespace: 'chunk' }, () => {
    const lines = chunkRoots.map((file) => `import ${JSON.stringify(path.join(source, file))}`)
    return { contents: lines.join('\n'), resolveDir: root }
  })
  build.onLoad({ filter: /\.ts$/ }, ({ path: file }) => {
    if (!entries.includes(file)) return undefined
    return {
      contents: `${readFileSync(file, 'utf8')}\nimport 'late:chunk'\n`,
      loader: 'ts',
      resolveDir: path.dirname(file),
    }
  })
}

/** @param {Build} build @param {LateFile} what */
async function writeLateFile({ esbuild, initialOptions }, { group, graph }) {
  const { outdir = '', target = 'node20' } = initialOptions
  const files = [...graph.groupOf.keys()].filter((file) => graph.groupOf.get(file) === group && isAskedFor(file, graph))
  const imports = files.map((file, at) => `import * as file${at} from ${JSON.stringify(file)}`)
  const members = files.map((file, at) => `${JSON.stringify(nameOf(file))}: file${at}`)
  await esbuild.build({
    stdin: { contents: `${imports.join('\n')}\nexport const files = { ${members.join(', ')} }`, resolveDir: root },
    outfile: path.resolve(root, outdir, `late-${group}.cjs`),
    ...{ absWorkingDir: root, bundle: true, format: 'cjs', platform: 'node', target },
    define: { 'import.meta.url': 'fileUrl' },
    // In brackets, so that V8 does not read it twice: once to find its end, and once more when it is called.
    banner: {
      js: `module.exports = (function (what) {\n'use strict'\nconst { given, late, lateClass, fileUrl, require } = what, module = {}`,
    },
    footer: { js: 'return module.exports.files\n})' },
    plugins: [{ name: 'late-file', setup: (build) => takeWhatIsGiven(build, { group, graph }) }],
  })
}

/** By a module that is elsewhere. @param {string} file @param {Graph} graph */
function isAskedFor(file, { imports, groupOf }) {
  return [...imports].some(([from, imported]) => groupOf.get(from) !== groupOf.get(file) && imported.includes(file))
}

/** @param {Build} build @param {LateFile} what */
function takeWhatIsGiven(build, { group, graph }) {
  const { groupOf, shared } = graph
  standIn(build, { graph, isHere: (other) => other === group || other === baseGroup })
  build.onResolve({ filter: /^late:loader$|late-loader\.mjs$/ }, () => ({ path: 'loader', namespace: 'loader' }))
  build.onLoad({ filter: /.*/, namespace: 'loader' }, () => ({ contents: 'module.exports = { late, lateClass }' }))
  build.onResolve({ filter: /^\.{1,2}\/.*\.ts$/ }, ({ path: imported, resolveDir }) => {
    const file = path.resolve(resolveDir, imported)
    const isGiven = shared.has(file) || (group !== baseGroup && groupOf.get(file) === baseGroup)
    return isGiven ? { path: nameOf(file), namespace: 'given', sideEffects: false } : undefined
  })
  build.onLoad({ filter: /.*/, namespace: 'given' }, ({ path: name }) => {
    const members = [...exportsOf(path.join(source, name)).keys()]
    return { contents: `export const { ${members.join(', ')} } = given[${JSON.stringify(name)}]` }
  })
}
