import type { Channel, Piece } from './joined-channels.ts'
import type { Replacement } from './replacement.ts'
import type { Span } from './span.ts'

/**
 * A span of a joined channel as replacements in the text that holds the pieces: the whole placeholder in the piece
 * where it begins, nothing in the others, so that every event stays.
 */
export function splitOverPieces(channel: Channel, span: Span, placeholder: string): Replacement[] {
  const replacements: Replacement[] = []
  for (let index = pieceAt(channel.pieces, span.start); index < channel.pieces.length; index += 1) {
    const piece = channel.pieces[index] as Piece
    if (piece.offset >= span.end) break
    replacements.push({ ...rangeIn(piece, span), text: replacements.length === 0 ? placeholder : '' })
  }
  return replacements
}

/** Index of the piece that holds a place of the joined text. */
function pieceAt(pieces: readonly Piece[], place: number): number {
  let low = 0
  let high = pieces.length - 1
  while (low < high) {
    const middle = (low + high + 1) >> 1
    if ((pieces[middle] as Piece).offset <= place) low = middle
    else high = middle - 1
  }
  return low
}

function rangeIn(piece: Piece, span: Span): { start: number; end: number } {
  const from = Math.max(0, span.start - piece.offset)
  const to = Math.min(piece.value.length, span.end - piece.offset)
  return { start: piece.rawIndexOf(from), end: piece.rawIndexOf(to) }
}
