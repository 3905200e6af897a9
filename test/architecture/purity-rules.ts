/** What code of `src` may not touch: the pure folders nearly nothing, all of it no global that fake timers replace. */
import ts from 'typescript'
import { lineOf, type SourceFile } from './source-file.ts'

const pureNodeModules = new Set(['node:buffer', 'node:crypto', 'node:zlib'])

const impureGlobals = new Set([
  ...['process', 'performance', 'fetch', 'console', 'navigator', 'crypto', 'globalThis', 'global', 'WebSocket'],
  ...['setTimeout', 'setInterval', 'setImmediate', 'queueMicrotask', 'localStorage', 'require'],
])

const fakeableTimers = new Set([
  'setTimeout',
  'setInterval',
  'setImmediate',
  'clearTimeout',
  'clearInterval',
  'clearImmediate',
])

/** Files, clock, chance, environment or network in a file that must be pure. */
export function impurities(file: SourceFile): string[] {
  const imports = file.imports.filter(({ specifier, names }) => {
    if (!specifier.startsWith('node:')) return false
    return !pureNodeModules.has(specifier) || names.some((name) => name === '*' || /^(random|generate)/.test(name))
  })
  return [
    ...imports.map(({ specifier, line }) => `${file.path}:${line} imports ${specifier}`),
    ...globalUses(file, impureGlobals),
    ...clockReads(file),
    ...visits(file, (node) => (isMember(node, 'Date', 'now') ? 'Date.now' : undefined)),
    ...visits(file, (node) => (isMember(node, 'Math', 'random') ? 'Math.random' : undefined)),
    ...visits(file, (node) => (ts.isMetaProperty(node) ? 'import.meta' : undefined)),
  ]
}

/** Global timers: a user's fake timers replace them, so `node:timers` it is. */
export function globalTimers(file: SourceFile): string[] {
  return globalUses(file, fakeableTimers)
}

/**
 * `Date.now()`, `Date()` and `new Date()`: the clock, which a user's fake timers replace. `Date.now` without a call is
 * fine: taken when the module loads, it stays the real one.
 */
export function clockReads(file: SourceFile): string[] {
  return visits(file, (node) => {
    const isCall = ts.isCallExpression(node)
    if (isCall && isMember(node.expression, 'Date', 'now')) return 'Date.now()'
    if (!(isCall || ts.isNewExpression(node)) || node.expression.getText() !== 'Date') return undefined
    return isCall || (node.arguments?.length ?? 0) === 0 ? 'Date()' : undefined
  })
}

/** `throw new Error`, or any other built-in error: those of `src` have a code. (An `AggregateError` only holds others.) */
export function uncodedThrows(file: SourceFile): string[] {
  return visits(file, (node) => {
    if (!ts.isThrowStatement(node) || !ts.isNewExpression(node.expression)) return undefined
    const name = node.expression.expression.getText()
    return /^(Type|Range|Syntax|Reference|Eval|URI)?Error$/.test(name) ? `throw new ${name}` : undefined
  })
}

/** Test calls singled out: `test.only(…)`, `describe.only.each(…)`. Text inside strings does not count. */
export function focusedTests(file: SourceFile): string[] {
  return visits(file, (node) => {
    if (!ts.isPropertyAccessExpression(node) || node.name.text !== 'only') return undefined
    return /^(test|it|describe|suite|bench)\b/.test(node.getText()) ? node.getText() : undefined
  })
}

function globalUses(file: SourceFile, globals: ReadonlySet<string>): string[] {
  const declared = declaredNames(file.tree)
  return visits(file, (node) => {
    if (!ts.isIdentifier(node) || !globals.has(node.text) || declared.has(node.text)) return undefined
    return isReference(node) && !isHarmlessMember(node.parent, globals) ? node.text : undefined
  })
}

/** Names that the file itself declares anywhere: parameters, variables, functions, imports. */
function declaredNames(tree: ts.SourceFile): ReadonlySet<string> {
  const names = new Set<string>()
  const visit = (node: ts.Node): void => {
    const isBinding =
      ts.isVariableDeclaration(node) ||
      ts.isParameter(node) ||
      ts.isBindingElement(node) ||
      ts.isFunctionDeclaration(node)
    const isImported = ts.isImportSpecifier(node) || ts.isImportClause(node) || ts.isNamespaceImport(node)
    const name = isBinding || isImported ? node.name : undefined
    // a parameter of a mere type declares nothing that code could use
    if (name !== undefined && ts.isIdentifier(name) && !ts.isTypeNode(node.parent)) names.add(name.text)
    ts.forEachChild(node, visit)
  }
  visit(tree)
  return names
}

/** True for an identifier that is read as a value (or asked for with `typeof`), not one that names a member. */
function isReference(node: ts.Identifier): boolean {
  const { parent } = node
  if (ts.isPropertyAccessExpression(parent)) return parent.expression === node
  if (ts.isPropertyAssignment(parent)) return parent.initializer === node
  if (ts.isImportSpecifier(parent)) return false
  if (ts.isTypeReferenceNode(parent) || ts.isQualifiedName(parent) || ts.isJsxAttribute(parent)) return false
  return ts.isShorthandPropertyAssignment(parent) || !('name' in parent && parent.name === node)
}

/** `globalThis.Response`: as harmless as the global it names. */
function isHarmlessMember(node: ts.Node, globals: ReadonlySet<string>): boolean {
  if (!ts.isPropertyAccessExpression(node)) return false
  return node.expression.getText() === 'globalThis' && !globals.has(node.name.text)
}

function isMember(node: ts.Node, object: string, member: string): boolean {
  return ts.isPropertyAccessExpression(node) && node.expression.getText() === object && node.name.text === member
}

function visits(file: SourceFile, find: (node: ts.Node) => string | undefined): string[] {
  const found: string[] = []
  const visit = (node: ts.Node): void => {
    const what = find(node)
    if (what !== undefined) found.push(`${file.path}:${lineOf(file.tree, node)} ${what}`)
    ts.forEachChild(node, visit)
  }
  visit(file.tree)
  return found
}
