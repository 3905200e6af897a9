/**
 * Which tests cite a behaviour by its id, read from the sources of the tests: a title is the claim, so that nothing here
 * repeats it. The ids in the title of a `describe` are those of every test in it.
 */
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import ts from 'typescript'
import { parseSource, projectRoot } from '../architecture/source-file.ts'

/** One `test`, or one `describe`, whose title cites ids. */
export interface CitedTest {
  /** Relative to the project root. */
  readonly file: string
  /** Without its ids; those of the groups around it first. */
  readonly title: string
  readonly ids: readonly string[]
}

const behaviourId = /\b(?:CU|TH|LR|SN|AR|AS)-\d{2}\b/g

/** The tests that cite each id, in the order of files and lines. */
export function citedTests(): ReadonlyMap<string, readonly CitedTest[]> {
  const byId = new Map<string, CitedTest[]>()
  for (const cited of testFiles().flatMap(titlesOf)) {
    for (const id of cited.ids) byId.set(id, [...(byId.get(id) ?? []), cited])
  }
  return byId
}

function testFiles(): readonly string[] {
  return readdirSync(path.join(projectRoot, 'test'), { recursive: true, encoding: 'utf8' })
    .map((name) => path.posix.join('test', name.split(path.sep).join('/')))
    .filter((name) => name.endsWith('.test.ts'))
    .sort()
}

function titlesOf(file: string): readonly CitedTest[] {
  const text = readFileSync(path.join(projectRoot, file), 'utf8')
  if (text.search(behaviourId) === -1) return []
  const cited: CitedTest[] = []
  const visit = (node: ts.Node, groups: readonly string[]): void => {
    const title = titleOf(node)
    if (title === undefined) {
      ts.forEachChild(node, (child) => visit(child, groups))
      return
    }
    const ids = title.match(behaviourId) ?? []
    const own = title.replace(behaviourId, '').replace(/\s+/g, ' ').trim().replace(/,$/, '')
    if (ids.length > 0) cited.push({ file, title: [...groups, own].join(' › '), ids })
    ts.forEachChild(node, (child) => visit(child, [...groups, own]))
  }
  visit(parseSource({ path: file, text }).tree, [])
  return cited
}

/** The title of `test('…', …)`, `describe.each(…)('…', …)` and the like; undefined for anything else. */
function titleOf(node: ts.Node): string | undefined {
  if (!ts.isCallExpression(node)) return undefined
  const [title] = node.arguments
  if (title === undefined || !ts.isStringLiteralLike(title)) return undefined
  return ['test', 'it', 'describe'].includes(rootName(node.expression)) ? title.text : undefined
}

function rootName(callee: ts.Expression): string {
  if (ts.isIdentifier(callee)) return callee.text
  return ts.isPropertyAccessExpression(callee) || ts.isCallExpression(callee) ? rootName(callee.expression) : ''
}
