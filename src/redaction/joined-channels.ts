import type { JsonLeaf } from './json-leaves.ts'
import { streamDocuments } from './stream-documents.ts'
import { type DecodedLiteral, decodeLiteral, type LiteralRange } from './string-literals.ts'

/** What a reader of a stream joins: the strings at one place of its events, in order. */
export interface Channel {
  /** JSON pointer inside the first event that has it; empty where the events are plain text. */
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
 * The channels of a text that is a stream: SSE, one JSON a line, one array of chunks, or lines of `0:"text"`.
 * A channel is a pointer, whatever the places in arrays, together with what tells two streams of one response apart:
 * indexes, item ids, the event's type. Only channels of two or more pieces; a text that is no such stream has none.
 */
export function joinedChannels(text: string): Channel[] {
  const found = new Map<string, { pointer: string; pieces: Piece[]; length: number }>()
  const add = (key: string, pointer: string, literal: DecodedLiteral): void => {
    const channel = found.get(key) ?? { pointer, pieces: [], length: 0 }
    found.set(key, channel)
    channel.pieces.push({ value: literal.value, rawIndexOf: literal.rawIndexOf, offset: channel.length })
    channel.length += literal.value.length
  }
  for (const document of streamDocuments(text)) {
    if ('plain' in document) {
      const { start, end, goesOn } = document.plain
      const value = text.slice(start, end) + (goesOn ? '\n' : '')
      add('', '', { value, rawIndexOf: (index) => Math.min(start + index, end) })
      continue
    }
    const marks = document.leaves.filter(isMark)
    for (const leaf of document.leaves) {
      if (leaf.type !== 'string' || leaf.end === leaf.start) continue
      add(channelKey(text, leaf, marks), leaf.pointer, decodeLiteral(text, leaf))
    }
  }
  return [...found.values()].flatMap(({ pointer, pieces }) => (pieces.length > 1 ? [channelOf(pointer, pieces)] : []))
}

/** The same pieces as a channel of their own. */
export function channelOf(pointer: string, pieces: readonly Piece[]): Channel {
  const first = pieces[0]?.offset ?? 0
  const own = first === 0 ? pieces : pieces.map((piece) => ({ ...piece, offset: piece.offset - first }))
  return { pointer, pieces: own, text: own.map((piece) => piece.value).join('') }
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
  return /index$/i.test(name) || name === 'item_id' || (name === 'type' && parent === '')
}

function channelKey(text: string, leaf: JsonLeaf, marks: readonly JsonLeaf[]): string {
  let key = leaf.shape
  for (const mark of marks) {
    const holds = mark !== leaf && leaf.pointer.startsWith(mark.parent)
    if (holds) key += `\u0000${text.slice(mark.start, mark.end)}`
  }
  return key
}
