/** A JSON value as the pieces its text is made of, two deep: what two requests of a loop share is whole pieces. */
import type { Json } from '../cassette/document.ts'

/** A longer text is written in pieces: one character beyond Latin-1 would double the bytes of all of it. */
export const maxWholeLength = 65_536

/** A shorter text is written and hashed whole, though it shares pieces: that is quicker than to find out which. */
export const minSharedLength = 16_384

/** An element of an array that is a member of the value, any other member, or a value that is no object. */
export interface JsonPiece {
  /** The text between the piece before and this one. With the value it says whether the piece stands in an array. */
  readonly before: string
  readonly value: Json
}

/** In the order of the text: the members as they stand, or sorted by UTF-16 units (RFC 8785). */
export function piecesOf(value: Json, order: 'as they stand' | 'sorted'): readonly JsonPiece[] {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return [{ before: '', value }]
  const members = value as { readonly [name: string]: Json | undefined }
  const names = Object.keys(members)
  const pieces: JsonPiece[] = []
  let before = '{'
  for (const name of order === 'sorted' ? names.sort() : names) {
    const member = members[name]
    if (member === undefined) continue
    before += `${JSON.stringify(name)}:`
    if (Array.isArray(member) && member.length > 0) {
      before += '['
      for (const element of member as readonly Json[]) {
        pieces.push({ before, value: element })
        before = ','
      }
      before = '],'
    } else {
      pieces.push({ before, value: member })
      before = ','
    }
  }
  return pieces
}

/** The text after the last piece; it follows from that piece. */
export function closing(pieces: readonly JsonPiece[]): string {
  const last = pieces.at(-1)
  if (last === undefined) return '{}'
  if (last.before === '') return ''
  return endsArray(pieces, pieces.length) ? ']}' : '}'
}

/** True where an array ends between the piece before `count` and the next. */
export function endsArray(pieces: readonly JsonPiece[], count: number): boolean {
  const next = pieces[count]
  if (next !== undefined) return next.before.startsWith(']')
  const last = pieces[count - 1]?.before
  return last === ',' || last?.endsWith('[') === true
}

/** False for requests that have nothing to do with each other, told without making their pieces. */
export function mayShare(value: Json, other: Json | undefined): boolean {
  if (typeof value !== 'object' || value === null || typeof other !== 'object' || other === null) return false
  for (const [name, member] of Object.entries(value)) {
    if (typeof member !== 'object' || member === null) continue
    const twin = (other as { readonly [name: string]: Json })[name]
    if (member === twin || (Array.isArray(member) && Array.isArray(twin) && sharesEnd(member, twin))) return true
  }
  return false
}

function sharesEnd(list: readonly Json[], other: readonly Json[]): boolean {
  return list.length > 0 && other.length > 0 && (list[0] === other[0] || list.at(-1) === other.at(-1))
}

/** How two values agree: so many pieces from the start, and so many others from the end. */
export interface SharedPieces {
  readonly first: number
  readonly last: number
}

/**
 * Undefined where no object is in both, so that the values only happen to hold the same words. A value of an opened cassette is
 * never changed: the very same object has the very same text.
 */
export function sharedPieces(pieces: readonly JsonPiece[], others: readonly JsonPiece[]): SharedPieces | undefined {
  const most = Math.min(pieces.length, others.length)
  let sharesObject = false
  const isShared = (at: number, otherAt: number): boolean => {
    const [piece, other] = [pieces[at] as JsonPiece, others[otherAt] as JsonPiece]
    if (piece.before !== other.before || piece.value !== other.value) return false
    sharesObject ||= typeof piece.value === 'object' && piece.value !== null
    return true
  }
  let first = 0
  while (first < most && isShared(first, first)) first += 1
  let last = 0
  while (last < most - first && isShared(pieces.length - 1 - last, others.length - 1 - last)) last += 1
  return sharesObject ? { first, last } : undefined
}
