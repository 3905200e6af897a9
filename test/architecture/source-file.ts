/** Sources as the architecture tests see them: parsed by TypeScript itself, with every import of any form. */
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import ts from 'typescript'

export interface SourceFile {
  /** Relative to the project root, with `/`. */
  readonly path: string
  readonly tree: ts.SourceFile
  readonly imports: readonly Import[]
}

export interface Import {
  readonly specifier: string
  /** The imported file where the specifier is relative, whether it exists or not. */
  readonly target: string | undefined
  /** Names as exported there; `*` for a whole module. */
  readonly names: readonly string[]
  readonly line: number
}

export const projectRoot = fileURLToPath(new URL('../..', import.meta.url))

const sources = new Map<string, readonly SourceFile[]>()

/** Every `.ts` file below a folder of the project. Parsed once. */
export function readSources(folder: string): readonly SourceFile[] {
  const known = sources.get(folder)
  if (known !== undefined) return known
  const names = readdirSync(path.join(projectRoot, folder), { recursive: true, encoding: 'utf8' })
  const files = names
    .map((name) => path.posix.join(folder, name.split(path.sep).join('/')))
    .filter((name) => name.endsWith('.ts') && !name.endsWith('.d.ts') && !name.includes('/node_modules/'))
    .map((name) => parseSource({ path: name, text: readFileSync(path.join(projectRoot, name), 'utf8') }))
  sources.set(folder, files)
  return files
}

export function parseSource(file: { readonly path: string; readonly text: string }): SourceFile {
  const tree = ts.createSourceFile(file.path, file.text, ts.ScriptTarget.Latest, true)
  const imports: Import[] = []
  const visit = (node: ts.Node): void => {
    const literal = specifierOf(node)
    if (literal !== undefined) {
      const specifier = literal.text
      const target = specifier.startsWith('.') ? path.posix.join(path.posix.dirname(file.path), specifier) : undefined
      imports.push({ specifier, target, names: importedNames(node), line: lineOf(tree, node) })
    }
    ts.forEachChild(node, visit)
  }
  visit(tree)
  return { path: file.path, tree, imports }
}

export function lineOf(tree: ts.SourceFile, node: ts.Node): number {
  return tree.getLineAndCharacterOfPosition(node.getStart(tree)).line + 1
}

/** `import … from`, `export … from`, `import()`, `require()`, `import('…').Type`. */
function specifierOf(node: ts.Node): ts.StringLiteralLike | undefined {
  const literal = specifierNode(node)
  return literal !== undefined && ts.isStringLiteralLike(literal) ? literal : undefined
}

function specifierNode(node: ts.Node): ts.Node | undefined {
  if (ts.isImportDeclaration(node) || ts.isExportDeclaration(node)) return node.moduleSpecifier
  if (ts.isImportTypeNode(node)) return ts.isLiteralTypeNode(node.argument) ? node.argument.literal : undefined
  if (ts.isExternalModuleReference(node)) return node.expression
  if (!ts.isCallExpression(node)) return undefined
  const isImport = node.expression.kind === ts.SyntaxKind.ImportKeyword
  const isRequire = ts.isIdentifier(node.expression) && node.expression.text === 'require'
  return isImport || isRequire ? node.arguments[0] : undefined
}

function importedNames(node: ts.Node): readonly string[] {
  if (ts.isImportDeclaration(node)) {
    const clause = node.importClause
    const named = clause?.namedBindings
    const names = named !== undefined && ts.isNamedImports(named) ? named.elements.map(exportedName) : ['*']
    if (clause === undefined) return []
    return clause.name === undefined ? names : ['default', ...(named === undefined ? [] : names)]
  }
  if (ts.isExportDeclaration(node) && node.exportClause !== undefined && ts.isNamedExports(node.exportClause)) {
    return node.exportClause.elements.map(exportedName)
  }
  return ['*']
}

function exportedName(element: ts.ImportSpecifier | ts.ExportSpecifier): string {
  return (element.propertyName ?? element.name).text
}
