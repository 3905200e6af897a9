// @ts-check
/**
 * Holds the size of what a user installs and loads: for each entry the bytes that importing it loads at once (itself and
 * the chunks it imports statically), the packages it loads with them, the packed tarball, and the number of runtime
 * dependencies. Over a budget is exit 1. A budget is raised by editing it here, in a commit that says why.
 */
import { readFileSync, statSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import ts from 'typescript'

const kib = 1024

/** `packages`: what the entry may load at once beside itself. @type {Record<string, { maxBytes: number, packages: string[] }>} */
const entryBudgets = {
  'index.js': { maxBytes: 140 * kib, packages: [] },
  'vitest.js': { maxBytes: 166 * kib, packages: ['vitest'] },
  'vitest-setup.js': { maxBytes: 153 * kib, packages: ['vitest'] },
  'jest.cjs': { maxBytes: 4 * kib, packages: [] },
  'jest-setup.cjs': { maxBytes: 4 * kib, packages: [] },
  'jest-core.js': { maxBytes: 155 * kib, packages: [] },
  'mcp.js': { maxBytes: 158 * kib, packages: [] },
  'mcp.cjs': { maxBytes: 4 * kib, packages: [] },
  'jest-reporter.js': { maxBytes: 142 * kib, packages: [] },
  'cli.js': { maxBytes: 165 * kib, packages: ['picomatch', 'picocolors'] },
}
/** What an entry may load at once: each file costs about half a millisecond. */
const maxFilesAtOnce = 8
const maxTarballBytes = 372 * kib
const maxRuntimeDependencies = 3

const root = fileURLToPath(new URL('..', import.meta.url))
const tarball = process.argv[2] ?? 'node_modules/.cache/turntape-package/turntape.tgz'
const problems = /** @type {string[]} */ ([])

for (const [entry, budget] of Object.entries(entryBudgets)) {
  const loaded = loadedAtOnce(path.join(root, 'dist', entry))
  report({ what: entry, found: loaded.bytes, limit: budget.maxBytes, unit: 'bytes' })
  report({ what: entry, found: loaded.files, limit: maxFilesAtOnce, unit: 'files' })
  const surplus = [...loaded.packages].filter((name) => !budget.packages.includes(name))
  if (surplus.length > 0) problems.push(`${entry} loads ${surplus.join(', ')} at once`)
}
report({ what: 'tarball', found: statSync(path.resolve(root, tarball)).size, limit: maxTarballBytes, unit: 'bytes' })
const { dependencies } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'))
const count = Object.keys(dependencies).length
report({ what: 'runtime dependencies', found: count, limit: maxRuntimeDependencies, unit: '' })

for (const problem of problems) console.log(`over budget: ${problem}`)
process.exitCode = problems.length === 0 ? 0 : 1

/** @param {{ what: string, found: number, limit: number, unit: string }} measured */
function report({ what, found, limit, unit }) {
  const line = `${what}: ${found.toLocaleString('en')} of ${limit.toLocaleString('en')} ${unit}`.trimEnd()
  console.log(line)
  if (found > limit) problems.push(line)
}

/** @param {string} entry @returns {{ bytes: number, files: number, packages: Set<string> }} */
function loadedAtOnce(entry) {
  const files = new Set([entry])
  const packages = /** @type {Set<string>} */ (new Set())
  let bytes = 0
  for (const file of files) {
    const text = readFileSync(file, 'utf8')
    bytes += Buffer.byteLength(text)
    for (const specifier of staticImports(text)) {
      if (specifier.startsWith('.')) files.add(path.resolve(path.dirname(file), specifier))
      else if (!specifier.startsWith('node:')) packages.add(packageName(specifier))
    }
  }
  return { bytes, files: files.size, packages }
}

/** @param {string} text */
function staticImports(text) {
  const source = ts.createSourceFile('entry.js', text, ts.ScriptTarget.ESNext)
  return source.statements.flatMap((statement) => {
    const isImport = ts.isImportDeclaration(statement) || ts.isExportDeclaration(statement)
    const specifier = isImport ? statement.moduleSpecifier : undefined
    return specifier !== undefined && ts.isStringLiteral(specifier) ? [specifier.text] : []
  })
}

/** @param {string} specifier */
function packageName(specifier) {
  return specifier.split('/', specifier.startsWith('@') ? 2 : 1).join('/')
}
