/**
 * The slower, exact second parse (F19): over the text itself, in which duplicate names and number spellings are still there.
 * Run after a failure, or where the quick proof that nothing was lost did not hold. Keeps the names of open objects, no more.
 */
import { normalDecimal } from './decimal-text.ts'
import { JsonWalk } from './json-walk.ts'

/** Member names and array indexes from the root to a value. */
export type JsonPath = readonly (string | number)[]

export interface JsonPosition {
  /** 1-based; columns in UTF-16 units. */
  readonly line: number
  readonly column: number
}

/** Something that a plain `JSON.parse` of the text loses or turns into something else. */
export interface JsonLoss extends JsonPosition {
  readonly kind: 'duplicate name' | 'prototype name' | 'inexact number' | 'name order'
  readonly path: JsonPath
}

/** The first place where a text stops to be JSON; undefined for one that is. */
export function findFault(text: string): ({ readonly reason: string } & JsonPosition) | undefined {
  const walk = new JsonWalk(text)
  for (;;) {
    const step = walk.next()
    if (step === 'end') return undefined
    if (step === 'fault') return { reason: walk.reason, ...positionAt(text, walk.start) }
  }
}

/** The first loss in document order, of the kinds asked for, in a text that is JSON. */
export function findLoss(text: string, kinds: ReadonlySet<JsonLoss['kind']>): JsonLoss | undefined {
  const walk = new JsonWalk(text)
  const open: OpenContainer[] = []
  for (;;) {
    const step = walk.next()
    if (step === 'end' || step === 'fault') return undefined
    const top = open.at(-1)
    const kind = lossOf(step, walk, top)
    if (step === 'close') open.pop()
    else if (step !== 'name' && top?.names === undefined && top !== undefined) top.step = Number(top.step) + 1
    if (kind !== undefined && kinds.has(kind)) {
      return { kind, path: open.map((container) => container.step), ...positionAt(text, walk.start) }
    }
    if (step === 'object') open.push({ names: new Set(), step: '', lastIndex: -1 })
    if (step === 'array') open.push({ names: undefined, step: -1, lastIndex: -1 })
  }
}

/** Where the value at `path` starts, in a text that is JSON; the nearest ancestor that exists where it does not. */
export function locate(text: string, path: JsonPath): JsonPosition {
  const walk = new JsonWalk(text)
  /** The step that each open container is at. */
  const open: (string | number)[] = []
  let [found, matched] = [0, 0]
  for (;;) {
    const step = walk.next()
    if (step === 'end' || step === 'fault') return positionAt(text, found)
    if (step === 'name') {
      open[open.length - 1] = JSON.parse(walk.source) as string
      continue
    }
    if (step === 'close') {
      open.pop()
      // Out of the last container on the way: what is looked for is not there.
      if (open.length === matched) return positionAt(text, found)
      continue
    }
    const top = open.at(-1)
    if (typeof top === 'number') open[open.length - 1] = top + 1
    const isNext = open.length === matched + 1 && matched < path.length && String(open.at(-1)) === String(path[matched])
    if (open.length === 0 || isNext) {
      found = walk.start
      if (isNext) matched += 1
      if (matched === path.length || (step !== 'object' && step !== 'array')) return positionAt(text, found)
    }
    if (step === 'object') open.push('')
    if (step === 'array') open.push(-1)
  }
}

/** True where the double that `JSON.parse` makes of this number text has the very same decimal value. */
export function isExactNumber(source: string): boolean {
  const spelled = String(Number(source))
  return spelled === source || normalDecimal(spelled) === normalDecimal(source)
}

export function positionAt(text: string, offset: number): JsonPosition {
  let [line, start] = [1, 0]
  for (let at = text.indexOf('\n'); at >= 0 && at < offset; at = text.indexOf('\n', start)) {
    line += 1
    start = at + 1
  }
  return { line, column: offset - start + 1 }
}

interface OpenContainer {
  /** Of an object; undefined for an array. */
  readonly names: Set<string> | undefined
  /** The name or index it is at. */
  step: string | number
  /** The array index that the name before was, infinite for any other name: engines list indexes first, ascending. */
  lastIndex: number
}

function lossOf(step: string, walk: JsonWalk, top: OpenContainer | undefined): JsonLoss['kind'] | undefined {
  if (step === 'number') return isExactNumber(walk.source) ? undefined : 'inexact number'
  if (step !== 'name' || top?.names === undefined) return undefined
  const name = JSON.parse(walk.source) as string
  const index = arrayIndexOf(name)
  const kind = nameLoss({ name, index, top })
  top.step = name
  top.names.add(name)
  top.lastIndex = index ?? Number.POSITIVE_INFINITY
  return kind
}

interface NamePlace {
  readonly name: string
  readonly index: number | undefined
  readonly top: OpenContainer
}

function nameLoss({ name, index, top }: NamePlace): JsonLoss['kind'] | undefined {
  if (name === '__proto__') return 'prototype name'
  if (top.names?.has(name) === true) return 'duplicate name'
  return index !== undefined && index <= top.lastIndex ? 'name order' : undefined
}

function arrayIndexOf(name: string): number | undefined {
  const index = Number(name)
  return /^(?:0|[1-9]\d{0,9})$/.test(name) && index < 2 ** 32 - 1 ? index : undefined
}
