import { printable } from './printable.ts'

/** Stands for what was left out. */
export const ellipsis = '…'

/** The printable text in at most `limit` characters; what is too long loses its end. Costs no more than `limit`. */
export function elide(text: string, limit: number): string {
  if (text.length <= limit) {
    const whole = printable(text)
    if (whole.length <= limit) return whole
  }
  return takeStart(text, limit - 1) + ellipsis
}

/** As `elide`; what is too long loses its middle, so that both ends can be recognised. */
export function elideMiddle(text: string, limit: number): string {
  if (text.length <= limit) {
    const whole = printable(text)
    if (whole.length <= limit) return whole
  }
  const tailLength = Math.floor((limit - 1) / 2)
  return takeStart(text, limit - 1 - tailLength) + ellipsis + takeEnd(text, tailLength)
}

/** The longest printable start in at most `room` characters; no character is cut in two. */
export function takeStart(text: string, room: number): string {
  let taken = ''
  for (const character of text.slice(0, Math.max(room, 0) + 1)) {
    const piece = printable(character)
    if (taken.length + piece.length > room) break
    taken += piece
  }
  return taken
}

/** The longest printable end in at most `room` characters. */
function takeEnd(text: string, room: number): string {
  let taken = ''
  for (const character of Array.from(text.slice(-Math.max(room, 1) - 1)).reverse()) {
    const piece = printable(character)
    if (taken.length + piece.length > room) break
    taken = piece + taken
  }
  return taken
}
