/** Reads from `src/errors/codes.ts` what its types say: the codes in order, their groups and the members of their details. */
import { readFileSync } from 'node:fs'
import ts from 'typescript'
import type { ErrorCode } from '../../src/errors/codes.ts'

export interface ErrorEntry {
  readonly code: ErrorCode
  /** The comment above the code or above the first of its group: `the run left the cassette`. */
  readonly group: string
  readonly members: readonly { readonly name: string; readonly type: string }[]
}

export function readErrorRegistry(file: URL): ErrorEntry[] {
  const tree = ts.createSourceFile(file.pathname, readFileSync(file, 'utf8'), ts.ScriptTarget.Latest, true)
  let group = ''
  return interfaceMembers(tree, 'ErrorDetails').map((member) => {
    group = commentAbove(tree, member) ?? group
    return { code: member.name.getText(tree) as ErrorCode, group, members: detailMembers(member.type) }
  })
}

function interfaceMembers(tree: ts.SourceFile, name: string): ts.PropertySignature[] {
  const found = tree.statements.find((node) => ts.isInterfaceDeclaration(node) && node.name.text === name)
  return found !== undefined && ts.isInterfaceDeclaration(found) ? found.members.filter(ts.isPropertySignature) : []
}

/** Details that are named elsewhere (`DivergenceDetails`) are one member, so that the page names the type. */
function detailMembers(type: ts.TypeNode | undefined): ErrorEntry['members'] {
  if (type === undefined) return []
  if (!ts.isTypeLiteralNode(type)) return [{ name: 'details', type: type.getText() }]
  return type.members.filter(ts.isPropertySignature).map((member) => ({
    name: `${member.name.getText()}${member.questionToken === undefined ? '' : '?'}`,
    type:
      member.type
        ?.getText()
        .replace(/\s+/g, ' ')
        .replace(/readonly (?=\w+:)/g, '') ?? 'unknown',
  }))
}

function commentAbove(tree: ts.SourceFile, node: ts.Node): string | undefined {
  const [comment] = ts.getLeadingCommentRanges(tree.text, node.getFullStart()) ?? []
  return comment === undefined ? undefined : tree.text.slice(comment.pos, comment.end).replace(/^\/\/\s*/, '')
}
