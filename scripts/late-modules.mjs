// @ts-check
/**
 * What loading the package costs is compiling it. So what a green replay does not run is compiled when it is first called.
 * An esbuild plugin for the ES modules of the package; the sources import each other as usual and know nothing of it
 * (docs/decisions/0015-late-files.md).
 *
 * - The modules of each group become one file, `late-<group>.cjs`. Other modules that import a function of theirs get one that
 *   loads the file and calls it, at once: much of it is called synchronously. What the group imports of the one chunk it is
 *   given, so that state has one copy.
 * - All entries that replay share one chunk, whatever part of it they reach: every further file costs half a millisecond.
 */
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'

/**
 * Files and folders of `src`; a file stands in the first group that has it. Constants of theirs are not for other modules.
 * @type {Readonly<Record<string, readonly string[]>>}
 */
const groups = {
  // What a model call said: at the end of a test that made one, and for `tape.turns`.
  turns: ['wire/', 'trajectory/'],
  // What a red test says.
  refusals: [
    ...['errors/messages.ts', 'errors/messages/', 'divergence/'],
    ...['session/calls/diverge.ts', 'session/calls/conceal-error.ts', 'session/calls/still-waiting.ts'],
    ...['session/source/missing-cassette.ts', 'session/source/moved-cassette.ts', 'session/ending/presentable.ts'],
  ],
  // What goes live, and what is written of it.
  recording: [
    ...['recording/', 'interception/fetch/tap-response.ts', 'interception/dispatcher/observed-handler.ts'],
    ...['interception/node-http/observe-message.ts', 'interception/node-http/observe-request.ts'],
    ...['session/calls/live-exchange.ts', 'session/calls/live-checks.ts', 'session/ending/before-record.ts'],
    ...['session/ending/keep-committed.ts', 'session/ending/compose-cassette.ts'],
    ...[
      'session/source/around-part.ts',
      'store/commit-cassette.ts',
      'store/remove-cassette.ts',
      'store/side-folder.ts',
    ],
    ...['store/atomic-file.ts', 'core/cassette/write-cassette.ts', 'core/cassette/pack-cassette.ts'],
    ...['core/cassette/pack-request.ts', 'core/cassette/encode-body.ts', 'core/cassette/write-body.ts'],
    ...['redaction/scan.ts', 'redaction/scan-facts.ts', 'redaction/scan-joins.ts', 'redaction/scan-names.ts'],
    ...['redaction/scan-place.ts', 'redaction/scan-rule.ts', 'redaction/scan-texts.ts', 'redaction/concealer.ts'],
    ...['redaction/decoded-forms.ts', 'redaction/decompress.ts', 'redaction/unpack.ts', 'redaction/zip-contents.ts'],
    ...['redaction/pdf-contents.ts', 'redaction/joined-channels.ts', 'redaction/split-over-pieces.ts'],
    ...['redaction/stream-documents.ts', 'redaction/separate-values.ts', 'redaction/undo-content-encoding.ts'],
    ...['redaction/recut-chunks.ts', 'redaction/redact-frames.ts', 'redaction/redact-multipart.ts'],
  ],
  // Tools and `tape.call`.
  values: [
    ...['session/calls/value-calls.ts', 'session/calls/serve-value.ts', 'session/calls/value-elements.ts'],
    ...['session/calls/record-value.ts', 'session/calls/pushed-elements.ts', 'session/calls/stored-value.ts'],
    'session/tools/',
  ],
}

/** Stay where they are, though their folder is in a group. @type {readonly string[]} */
const early = ['trajectory/expect-matchers.ts']

/** With all that they import, what the one chunk holds. */
const chunkRoots = [
  ...['session/attempt.ts', 'session/open-file.ts', 'session/tape.ts', 'session/machine-host.ts'],
  ...['session/project-settings.ts', 'session/session-of-slot.ts', 'session/calls/session-of-call.ts'],
  ...['trajectory/expect-matchers.ts', 'session/run/report-options.ts', 'interception/content-decoder.ts'],
  ...['core/matching/ignore-members.ts', 'core/matching/replace-text.ts', 'core/cassette/cassette-path.ts'],
]

/** A test may fake these: they are taken when the package is loaded, never later. */
const takenEarly = /^node:(timers|timers\/promises|perf_hooks)$/

const root = fileURLToPath(new URL('..', import.meta.url))
const source = path.join(root, 'src')
const loader = fileURLToPath(new URL('late-loader.mjs', import.meta.url))

/**
 * @typedef {NonNullable<import('tsup').Options['esbuildPlugins']>[number]} Plugin
 * @typedef {Parameters<Plugin['setup']>[0]} Build
 * @typedef {{ entries: readonly string[], imports: ReadonlyMap<string, readonly string[]>, given: ReadonlySet<string> }} Graph
 *   files by absolute path; `imports`: static ones; `given`: of the one chunk, what late files import
 */

/** @returns {Plugin} */
export function lateModules() {
  return {
    name: 'late-modules',
    async setup(build) {
      const graph = await readGraph(build)
      standIn(build, undefined)
      loadOnCall(build, graph)
      shareOneChunk(build, graph)
      build.onEnd(async () => {
        await Promise.all(Object.keys(groups).map((group) => writeLateFile(build, { group, graph })))
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
  const shared = sharedFiles(imports)
  const late = [...imports.keys()].filter((file) => groupOf(file) !== undefined)
  const given = late.flatMap((file) => imports.get(file) ?? []).filter((file) => shared.has(file))
  return { entries: entries.map(absolute), imports, given: new Set(given) }
}

/** @param {Graph['imports']} imports @returns {ReadonlySet<string>} */
function sharedFiles(imports) {
  const shared = new Set(chunkRoots.map((file) => path.join(source, file)))
  for (const file of shared)
    for (const imported of imports.get(file) ?? []) if (groupOf(imported) === undefined) shared.add(imported)
  return shared
}

/** @param {string} file */
function groupOf(file) {
  const name = nameOf(file)
  if (early.includes(name)) return undefined
  return Object.keys(groups).find((group) =>
    groups[group]?.some((one) => name === one || (one.endsWith('/') && name.startsWith(one))),
  )
}

/** Below `src`. @param {string} file */
function nameOf(file) {
  return path.relative(source, file).replaceAll('\\', '/')
}

/** In the place of modules of other groups: functions that load them. @param {Build} build @param {string | undefined} own the group that is built */
function standIn(build, own) {
  build.onResolve({ filter: /^\.{1,2}\/.*\.ts$/ }, ({ path: imported, resolveDir }) => {
    const file = path.resolve(resolveDir, imported)
    const group = groupOf(file)
    return group === undefined || group === own ? undefined : { path: file, namespace: 'stand-in', sideEffects: false }
  })
  build.onLoad({ filter: /.*/, namespace: 'stand-in' }, ({ path: file }) => {
    const exported = [...readFileSync(file, 'utf8').matchAll(/^export (?:async )?(function\*?|class) (\w+)/gm)]
    // Overloads have one name.
    const kinds = new Map(exported.map(([, kind, name]) => [name, kind]))
    const lines = [...kinds].map(([name, kind]) => {
      const of = `late(${JSON.stringify(groupOf(file))}, ${JSON.stringify(nameOf(file))}).${name}`
      return kind === 'class'
        ? `export const ${name} = lateClass(() => ${of})`
        : `let ${name}Loaded\nexport const ${name} = (...values) => (${name}Loaded ??= ${of})(...values)`
    })
    return { contents: `import { late, lateClass } from 'late:loader'\n${lines.join('\n')}`, resolveDir: root }
  })
}

/** @param {Build} build @param {Graph} graph */
function loadOnCall(build, { given }) {
  build.onResolve({ filter: /^late:loader$/ }, () => ({ path: 'loader', namespace: 'loader', sideEffects: false }))
  build.onLoad({ filter: /.*/, namespace: 'loader' }, () => {
    const files = [...given]
    const imports = files.map((file, at) => `import * as given${at} from ${JSON.stringify(file)}`)
    const members = files.map((file, at) => `${JSON.stringify(nameOf(file))}: given${at}`)
    const lines = [
      `import { createLateLoader } from ${JSON.stringify(loader)}`,
      ...imports,
      // A function: modules that import each other in a circle are not all there when this one is.
      `const given = () => ({ ${members.join(', ')} })`,
      'export const { late, lateClass } = createLateLoader({ given, here: import.meta.url })',
    ]
    return { contents: lines.join('\n'), resolveDir: root }
  })
}

/** @param {Build} build @param {Graph} graph */
function shareOneChunk(build, { entries }) {
  // The ES module of the process object reads every member of it, standard streams included.
  build.onResolve({ filter: /^node:process$/ }, () => ({ path: 'process', namespace: 'process', sideEffects: false }))
  build.onLoad({ filter: /.*/, namespace: 'process' }, () => ({ contents: 'export default globalThis.process' }))
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

/** @param {Build} build @param {{ group: string, graph: Graph }} what */
async function writeLateFile({ esbuild, initialOptions }, { group, graph }) {
  const { outdir = '', target = 'node20' } = initialOptions
  const files = [...graph.imports.keys()].filter(
    (file) => groupOf(file) === group && isImportedFromOutside(file, graph),
  )
  const imports = files.map((file, at) => `import * as file${at} from ${JSON.stringify(file)}`)
  const members = files.map((file, at) => `${JSON.stringify(nameOf(file))}: file${at}`)
  await esbuild.build({
    stdin: { contents: `${imports.join('\n')}\nexport const files = { ${members.join(', ')} }`, resolveDir: root },
    outfile: path.resolve(root, outdir, `late-${group}.cjs`),
    ...{ absWorkingDir: root, bundle: true, format: 'cjs', platform: 'node', target },
    define: { 'import.meta.url': 'fileUrl' },
    banner: { js: 'module.exports = ({ given, late, lateClass, fileUrl }) => {\nconst module = {}' },
    footer: { js: 'return module.exports.files\n}' },
    plugins: [{ name: 'late-file', setup: (build) => takeWhatIsGiven(build, { group, graph }) }],
  })
}

/** @param {string} file @param {Graph} graph */
function isImportedFromOutside(file, { imports }) {
  return [...imports].some(([from, imported]) => groupOf(from) !== groupOf(file) && imported.includes(file))
}

/** @param {Build} build @param {{ group: string, graph: Graph }} what */
function takeWhatIsGiven(build, { group, graph: { given } }) {
  standIn(build, group)
  build.onResolve({ filter: /^late:loader$/ }, () => ({ path: 'loader', namespace: 'loader' }))
  build.onLoad({ filter: /.*/, namespace: 'loader' }, () => ({ contents: 'module.exports = { late, lateClass }' }))
  build.onResolve({ filter: /^\.{1,2}\/.*\.ts$/ }, ({ path: imported, resolveDir }) => {
    const file = path.resolve(resolveDir, imported)
    return given.has(file) ? { path: file, namespace: 'given' } : undefined
  })
  build.onLoad({ filter: /.*/, namespace: 'given' }, ({ path: file }) => {
    return { contents: `module.exports = given[${JSON.stringify(nameOf(file))}]` }
  })
  build.onResolve({ filter: /^[^./]/ }, ({ path: name, importer }) => {
    if (!name.startsWith('node:')) return undefined
    if (!takenEarly.test(name)) return { path: name, external: true }
    return { errors: [{ text: `${nameOf(importer)} takes ${name}, which a test may have faked: it cannot be late` }] }
  })
}
