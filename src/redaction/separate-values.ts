/** Tells the deltas of one text from values of their own that stand at the same place of several events. */

import type { PathFinder } from './find-paths.ts'
import { findShapes } from './find-shapes.ts'
import { type Channel, channelOf, type Piece } from './joined-channels.ts'
import { endsWithPlaceholder } from './placeholder.ts'
import type { PathSpan } from './span.ts'

/** What no tokeniser makes twice in a row. */
const minRepeatedLength = 20

/** The channel in parts of two pieces or more; a piece that is a key of its own, or repeats the one before, begins a part. */
export function splitValues(channel: Channel): Channel[] {
  const parts: Piece[][] = []
  let before: Piece | undefined
  for (const piece of channel.pieces) {
    if (before === undefined || isSeparate(before, piece)) parts.push([])
    ;(parts.at(-1) as Piece[]).push(piece)
    before = piece
  }
  if (parts.length === 1) return [channel]
  return parts.filter((pieces) => pieces.length > 1).map((pieces) => channelOf(channel.pointer, pieces))
}

function isSeparate(before: Piece, piece: Piece): boolean {
  if (piece.value.length < minRepeatedLength) return false
  return piece.value === before.value || (isKey(before.value) && isKey(piece.value))
}

function isKey(value: string): boolean {
  const [first] = value.length < minRepeatedLength ? [] : findShapes(value)
  return first !== undefined && first.start === 0 && first.end === value.length
}

/**
 * Paths that a piece begins with, whatever ends the piece before: `/home/alice/shop/b.ts` after `/home/alice/shop/a.ts`.
 * The folder of temporary files is too short for that; after `src` a delta `/tmp` is no such folder.
 */
export function pathsOfPieces(channel: Channel, findPaths: PathFinder): PathSpan[] {
  const spans: PathSpan[] = []
  let isPathBefore = false
  for (const { value, offset } of channel.pieces) {
    const mayBegin = mayBePath.test(value) && !endsWithPlaceholder(channel.text, offset)
    const [first] = mayBegin ? findPaths(value) : []
    const begins = first !== undefined && first.start === 0
    if (begins && (isPathBefore || first.placeholder !== '<tmp>')) {
      spans.push({ ...first, start: offset, end: offset + first.end })
    }
    isPathBefore = begins
  }
  return spans
}

const mayBePath = /^(?:[/\\]|%2[Ff]|[A-Za-z]:|\\?u)/
