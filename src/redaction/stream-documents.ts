import { closingQuote, type JsonLeaf, jsonLeaves } from './json-leaves.ts'
import type { LiteralRange } from './string-literals.ts'

/** One event of a stream: the leaves of its JSON, or a line of its text. */
export type StreamDocument = { readonly leaves: readonly JsonLeaf[] } | { readonly plain: PlainLine }

export interface PlainLine extends LiteralRange {
  /** The event's text goes on in a further line. */
  readonly goesOn: boolean
}

/** The events of a text that is a stream, in order; none where it is no stream. */
export function streamDocuments(text: string): StreamDocument[] {
  return text.trimStart().startsWith('[') ? arrayElements(text) : lineDocuments(text)
}

/** A line, without what SSE or a numbered line (`0:"text"`) writes before its data. */
const lineStart = /^(?:(data:)[ \t]?)?[ \t]*(?:([0-9a-z]):)?(?=([{["])?)/gm

function lineDocuments(text: string): StreamDocument[] {
  const found: StreamDocument[] = []
  let done = 0
  for (const match of text.matchAll(lineStart)) {
    if (match.index < done) continue
    const start = match.index + match[0].length
    const feed = text.indexOf('\n', start)
    const line = { start, end: feed < 0 ? text.length : feed }
    const [, data, number, opening] = match
    const document = jsonDocument(text, line, { opening, number }) ?? wideDocument(text, line, opening)
    if (document !== undefined) found.push({ leaves: document.leaves })
    else if (data !== undefined) found.push({ plain: plainLine(text, match.index + data.length, line.end) })
    done = document?.end ?? line.end
  }
  return found
}

interface JsonDocument {
  readonly leaves: readonly JsonLeaf[]
  readonly end: number
}

interface Beginning {
  readonly opening: string | undefined
  readonly number: string | undefined
}

function jsonDocument(text: string, line: LiteralRange, { opening, number }: Beginning): JsonDocument | undefined {
  if (opening === undefined) return undefined
  if (opening !== '"') {
    const leaves = jsonLeaves(text, line)
    return (
      leaves && { leaves: number === undefined ? leaves : leaves.map((leaf) => below(number, leaf)), end: line.end }
    )
  }
  const close = closingQuote(text, line.start + 1, line.end)
  if (close < 0 || text.slice(close + 1, line.end).trim() !== '') return undefined
  const place = { pointer: number === undefined ? '' : `/${number}`, parent: '', name: number ?? '' }
  const leaf: JsonLeaf = { type: 'string', start: line.start + 1, end: close, shape: place.pointer, ...place }
  return { leaves: [leaf], end: line.end }
}

function below(number: string, leaf: JsonLeaf): JsonLeaf {
  const { pointer, shape, parent } = leaf
  return { ...leaf, pointer: `/${number}${pointer}`, shape: `/${number}${shape}`, parent: `/${number}${parent}` }
}

/** JSON that goes on over the `data:` lines of one event: the words between its lines are none of its tokens. */
function wideDocument(text: string, line: LiteralRange, opening: string | undefined): JsonDocument | undefined {
  const goesOn = text.startsWith('\ndata:', line.end)
  if (opening === undefined || opening === '"' || !goesOn) return undefined
  const blank = /\r?\n\r?\n/g
  blank.lastIndex = line.end
  const end = blank.exec(text)?.index ?? text.length
  const leaves = jsonLeaves(text, { start: line.start, end })
  return leaves && { leaves, end }
}

/** One blank after the colon is not part of the data. */
function plainLine(text: string, start: number, end: number): PlainLine {
  const from = text[start] === ' ' ? start + 1 : start
  const goesOn = text.startsWith('\ndata:', end)
  return { start: from, end: Math.max(from, text[end - 1] === '\r' ? end - 1 : end), goesOn }
}

/** The elements of one array, each as a document of its own. */
function arrayElements(text: string): StreamDocument[] {
  const leaves = jsonLeaves(text, { start: text.indexOf('['), end: text.length }) ?? []
  const found = new Map<string, JsonLeaf[]>()
  for (const leaf of leaves) {
    const [, element, rest] = /^\/(\d+)(\/.*)$/s.exec(leaf.pointer) ?? []
    if (element === undefined || rest === undefined) continue
    const parent = leaf.parent.slice(element.length + 1)
    const document = found.get(element) ?? []
    found.set(element, document)
    document.push({ ...leaf, pointer: rest, shape: leaf.shape.slice('/*'.length), parent })
  }
  return [...found.values()].map((leaves) => ({ leaves }))
}
