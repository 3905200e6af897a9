/**
 * The slower, exact second parse (F19): a tree with positions, in which duplicate names and number spellings are
 * still there. Run after a failure, or where the quick proof that nothing was lost did not hold.
 */
import { type AnyNode, parse, type ValueNode } from '@humanwhocodes/momoa'

/** Member names and array indexes from the root to a value. */
export type JsonPath = readonly (string | number)[]

export interface JsonPosition {
  /** 1-based. */
  readonly line: number
  readonly column: number
}

export type JsonTree =
  | { readonly ok: true; readonly root: ValueNode }
  | ({ readonly ok: false; readonly reason: string } & JsonPosition)

/** Something that a plain `JSON.parse` of the text loses or turns into something else. */
export interface JsonLoss extends JsonPosition {
  readonly kind: 'duplicate name' | 'prototype name' | 'inexact number' | 'name order'
  readonly path: JsonPath
}

export function parseTree(text: string): JsonTree {
  try {
    return { ok: true, root: parse(text, { mode: 'json', ranges: true }).body as ValueNode }
  } catch (error) {
    return { ok: false, ...syntaxFault(error) }
  }
}

/** The first loss in document order, of the kinds asked for. */
export function findLoss(root: ValueNode, text: string, kinds: ReadonlySet<JsonLoss['kind']>): JsonLoss | undefined {
  const loss = lossIn(root, text, kinds)
  return loss === undefined ? undefined : { kind: loss.kind, path: loss.path.reverse(), ...startOf(loss.node) }
}

/** Where the value at `path` starts; the nearest ancestor that exists where it does not. */
export function locate(root: ValueNode, path: JsonPath): JsonPosition {
  let node: ValueNode = root
  for (const step of path) {
    const next = childOf(node, step)
    if (next === undefined) break
    node = next
  }
  return startOf(node)
}

/** True where the double that `JSON.parse` makes of this number text has the very same decimal value. */
export function isExactNumber(source: string): boolean {
  return decimalOf(source) === decimalOf(String(Number(source)))
}

interface FoundLoss {
  readonly kind: JsonLoss['kind']
  /** From the loss up to the root. */
  readonly path: (string | number)[]
  readonly node: AnyNode
}

function lossIn(node: ValueNode, text: string, kinds: ReadonlySet<JsonLoss['kind']>): FoundLoss | undefined {
  if (node.type === 'Number') {
    const source = text.slice(node.loc.start.offset, node.loc.end.offset)
    return kinds.has('inexact number') && !isExactNumber(source)
      ? { kind: 'inexact number', path: [], node }
      : undefined
  }
  if (node.type === 'Array') {
    for (const [index, element] of node.elements.entries()) {
      const loss = lossIn(element.value, text, kinds)
      if (loss !== undefined) return under(index, loss)
    }
  }
  return node.type === 'Object' ? lossInObject(node, text, kinds) : undefined
}

function lossInObject(
  node: Extract<ValueNode, { type: 'Object' }>,
  text: string,
  kinds: ReadonlySet<JsonLoss['kind']>,
): FoundLoss | undefined {
  const seen = new Set<string>()
  let lastIndex = -1
  for (const member of node.members) {
    const name = nameOf(member)
    const kind = nameLoss(name, seen, lastIndex)
    if (kind !== undefined && kinds.has(kind)) return { kind, path: [name], node: member }
    seen.add(name)
    lastIndex = arrayIndexOf(name) ?? Number.POSITIVE_INFINITY
    const loss = lossIn(member.value, text, kinds)
    if (loss !== undefined) return under(name, loss)
  }
  return undefined
}

/** `lastIndex`: the array index that the name before was, infinite for any other name: engines list indexes first, ascending. */
function nameLoss(name: string, seen: ReadonlySet<string>, lastIndex: number): JsonLoss['kind'] | undefined {
  if (name === '__proto__') return 'prototype name'
  if (seen.has(name)) return 'duplicate name'
  const index = arrayIndexOf(name)
  return index !== undefined && index <= lastIndex ? 'name order' : undefined
}

function under(step: string | number, loss: FoundLoss): FoundLoss {
  loss.path.push(step)
  return loss
}

function arrayIndexOf(name: string): number | undefined {
  const index = Number(name)
  return /^(?:0|[1-9]\d{0,9})$/.test(name) && index < 2 ** 32 - 1 ? index : undefined
}

function childOf(node: ValueNode, step: string | number): ValueNode | undefined {
  if (node.type === 'Array') return node.elements[Number(step)]?.value
  if (node.type !== 'Object') return undefined
  return node.members.find((member) => nameOf(member) === step)?.value
}

function nameOf(member: {
  readonly name: { readonly type: string; readonly value?: string; readonly name?: string }
}): string {
  return member.name.value ?? member.name.name ?? ''
}

function startOf(node: AnyNode): JsonPosition {
  return { line: node.loc.start.line, column: node.loc.start.column }
}

/** A decimal number's value, spelled in one way: sign, digits without outer zeros, power of ten. */
function decimalOf(source: string): string {
  const match = /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/.exec(source)
  if (match === null) return source
  const [, sign = '', whole = '', fraction = '', exponent = '0'] = match
  const digits = (whole + fraction).replace(/^0+/, '')
  const significant = digits.replace(/0+$/, '')
  if (significant === '') return '0'
  return `${sign}${significant}e${Number(exponent) - fraction.length + digits.length - significant.length}`
}

/** The parser's own words, with tokens as they are written. */
function syntaxReason(message: string): string {
  const reason = message.replace(/ found\. \(\d+:\d+\)$/, '').replace(/^Unexpected/, 'unexpected')
  return reason.replace(/^unexpected token (\w+)$/, (_, token: string) =>
    Object.hasOwn(tokenTexts, token) ? `unexpected ${tokenTexts[token]}` : reason,
  )
}

const tokenTexts: Readonly<Record<string, string>> = {
  LBrace: '{',
  RBrace: '}',
  LBracket: '[',
  RBracket: ']',
  Colon: ':',
  Comma: ',',
  String: 'string',
  Number: 'number',
  Boolean: 'true or false',
  Null: 'null',
}

function syntaxFault(error: unknown): { readonly reason: string } & JsonPosition {
  if (error instanceof RangeError) return { reason: 'it is nested too deeply', line: 1, column: 1 }
  const {
    message = '',
    line = 1,
    column = 1,
  } = error as { readonly message?: string; readonly line?: number; readonly column?: number }
  return { reason: `it is no JSON: ${syntaxReason(message)}`, line, column }
}
