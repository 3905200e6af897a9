import { type JsonLeaf, jsonLeaves } from './json-leaves.ts'
import { type DecodedLiteral, decodeLiteral, type LiteralRange } from './string-literals.ts'

/** What a reader of a stream joins: the strings at one place of its events, in order. */
export interface Channel {
  /** JSON pointer inside the event. */
  readonly pointer: string
  readonly pieces: readonly Piece[]
  /** The pieces joined. */
  readonly text: string
}

export interface Piece extends DecodedLiteral {
  /** Where the piece begins in the joined text. */
  readonly offset: number
}

/**
 * The channels of a text that is a stream of JSON: SSE, one JSON a line, or one array of chunks.
 * A channel is a pointer together with what tells two streams of one response apart: indexes, item ids, the event's type.
 * Only channels of two or more pieces; a text that is no such stream has none.
 */
export function joinedChannels(text: string): Channel[] {
  const piecesByChannel = new Map<string, { pointer: string; pieces: Piece[]; length: number }>()
  for (const leaves of streamDocuments(text)) {
    const marks = leaves.filter(isMark)
    for (const leaf of leaves) {
      if (leaf.type !== 'string' || leaf.end === leaf.start) continue
      const key = channelKey(text, leaf, marks)
      const channel = piecesByChannel.get(key) ?? { pointer: leaf.pointer, pieces: [], length: 0 }
      piecesByChannel.set(key, channel)
      const literal = decodeLiteral(text, leaf)
      channel.pieces.push({ value: literal.value, rawIndexOf: literal.rawIndexOf, offset: channel.length })
      channel.length += literal.value.length
    }
  }
  return [...piecesByChannel.values()]
    .filter(({ pieces }) => pieces.length > 1)
    .map(({ pointer, pieces }) => ({ pointer, pieces, text: pieces.map((piece) => piece.value).join('') }))
}

/** Where the pieces of all channels stand in the text, in order. */
export function pieceRanges(channels: readonly Channel[]): LiteralRange[] {
  return channels
    .flatMap(({ pieces }) =>
      pieces.map(({ value, rawIndexOf }) => ({ start: rawIndexOf(0), end: rawIndexOf(value.length) })),
    )
    .sort((a, b) => a.start - b.start)
}

function isMark(leaf: JsonLeaf): boolean {
  const { name, parent } = leaf
  return name.endsWith('index') || name === 'item_id' || (name === 'type' && parent === '')
}

function channelKey(text: string, leaf: JsonLeaf, marks: readonly JsonLeaf[]): string {
  let key = leaf.pointer
  for (const mark of marks) {
    const holds = mark !== leaf && leaf.pointer.startsWith(mark.parent)
    if (holds) key += `\u0000${text.slice(mark.start, mark.end)}`
  }
  return key
}

function streamDocuments(text: string): JsonLeaf[][] {
  if (text.trimStart().startsWith('[')) return arrayElements(text)
  const ranges = lines(text)
  if (ranges.length < 2) return []
  const found: JsonLeaf[][] = []
  for (const range of ranges) {
    const leaves = jsonLeaves(text, range)
    if (leaves !== undefined) found.push(leaves)
  }
  return found
}

/** The lines of a text without what SSE writes before its data. */
function lines(text: string): LiteralRange[] {
  const found: LiteralRange[] = []
  for (const match of text.matchAll(/^(?:data:)?[ \t]*(?=[{[])/gm)) {
    const start = match.index + match[0].length
    const feed = text.indexOf('\n', start)
    found.push({ start, end: feed < 0 ? text.length : feed })
  }
  return found
}

/** The elements of one array, each as a document of its own. */
function arrayElements(text: string): JsonLeaf[][] {
  const leaves = jsonLeaves(text, { start: text.indexOf('['), end: text.length }) ?? []
  const found = new Map<string, JsonLeaf[]>()
  for (const leaf of leaves) {
    const [, element, rest] = /^\/(\d+)(\/.*)$/s.exec(leaf.pointer) ?? []
    if (element === undefined || rest === undefined) continue
    const parent = leaf.parent.slice(element.length + 1)
    const document = found.get(element) ?? []
    found.set(element, document)
    document.push({ ...leaf, pointer: rest, parent })
  }
  return [...found.values()]
}
