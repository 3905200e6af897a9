/** What an import of `src` may be. Each rule gives the violations it finds, one line each, for any set of files. */
import { acyclicLevel, folderOf, levelOf } from './level-table.ts'
import type { Import, SourceFile } from './source-file.ts'

export type Files = readonly SourceFile[]

/** The one file outside `src` that may be imported: for the version, which the build writes in. */
const manifest = 'package.json'

/** Upwards, sideways, or to and from a folder that the level table does not know. */
export function levelViolations(files: Files): string[] {
  return eachImport(files).flatMap(({ file, imported }) => {
    if (imported.target === undefined || imported.target === manifest) return []
    const from = folderOf(file.path)
    const to = folderOf(imported.target)
    const fromLevel = levelOf(from)
    const toLevel = levelOf(to)
    const place = `${file.path}:${imported.line} imports ${imported.target}`
    if (!imported.target.startsWith('src/')) return [`${place}: outside src`]
    if (fromLevel === undefined || toLevel === undefined) {
      return [`${place}: no level is set for ${fromLevel === undefined ? from : to}`]
    }
    if (from === to || toLevel < fromLevel || (toLevel === fromLevel && toLevel === acyclicLevel)) return []
    return [`${place}: level ${fromLevel} imports level ${toLevel}`]
  })
}

/** Circles between files, and between the folders of the level that may import each other. */
export function importCycles(files: Files): string[] {
  const fileGraph = new Map<string, Set<string>>()
  const folderGraph = new Map<string, Set<string>>()
  for (const { file, imported } of eachImport(files)) {
    if (imported.target === undefined || imported.target === manifest) continue
    addEdge(fileGraph, { from: file.path, to: imported.target })
    const edge = { from: folderOf(file.path), to: folderOf(imported.target) }
    if (edge.from !== edge.to) addEdge(folderGraph, edge)
  }
  return [...findCycles(fileGraph), ...findCycles(folderGraph)]
}

/** A relative import names an existing file with its `.ts`; any other is a package or a `node:` module. */
export function specifierViolations(files: Files): string[] {
  const paths = new Set(files.map((file) => file.path))
  return eachImport(files).flatMap(({ file, imported }) => {
    const place = `${file.path}:${imported.line} imports ${imported.specifier}`
    if (imported.target === undefined) return /^(node:|@?[a-z])/.test(imported.specifier) ? [] : [`${place}: an alias`]
    if (imported.target === manifest) return []
    if (!imported.specifier.endsWith('.ts')) return [`${place}: without .ts`]
    return paths.has(imported.target) ? [] : [`${place}: there is no such file`]
  })
}

export function eachImport(files: Files): { readonly file: SourceFile; readonly imported: Import }[] {
  return files.flatMap((file) => file.imports.map((imported) => ({ file, imported })))
}

/** `@scope/name` or `name` of a bare specifier; undefined for relative ones and Node's own. */
export function packageOf(specifier: string): string | undefined {
  if (specifier.startsWith('.') || specifier.startsWith('node:')) return undefined
  return specifier.split('/', specifier.startsWith('@') ? 2 : 1).join('/')
}

function addEdge(graph: Map<string, Set<string>>, { from, to }: { readonly from: string; readonly to: string }): void {
  graph.set(from, (graph.get(from) ?? new Set()).add(to))
}

/** Each circle once, as `a → b → a`. */
function findCycles(graph: ReadonlyMap<string, ReadonlySet<string>>): string[] {
  const cycles: string[] = []
  const finished = new Set<string>()
  const walk = (node: string, trail: readonly string[]): void => {
    const at = trail.indexOf(node)
    if (at >= 0) cycles.push([...trail.slice(at), node].join(' → '))
    if (at >= 0 || finished.has(node)) return
    for (const next of graph.get(node) ?? []) walk(next, [...trail, node])
    finished.add(node)
  }
  for (const node of graph.keys()) walk(node, [])
  return cycles
}
