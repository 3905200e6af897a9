/** How a JSON text was written: layouts seen in the wild, each proved by rendering it (F5, F9). */
import type { Json, JsonLayout } from './document.ts'
import { isExactNumber } from './exact-json.ts'
import { isEscapable, maxTailLength, orderLayout, renderJson } from './json-layout.ts'
import { escapeStep } from './json-pointer.ts'

/** The layout that gives back exactly `text` for `value`, or undefined where none of the known ones does. */
export function findLayout(text: string, value: Json): JsonLayout | undefined {
  const body = text.trimEnd()
  const tail = text.slice(body.length)
  if (tail.length > maxTailLength) return undefined
  const found = layoutOf(body, value)
  return found === undefined || tail === '' ? found : orderLayout({ ...found, tail })
}

/** More odd numbers than this in one value, and it reads better as text. */
export const maxOddNumbers = 512

function layoutOf(body: string, value: Json): JsonLayout | undefined {
  for (const layout of spacings(body)) if (renderJson(value, layout) === body) return layout
  const pad = /(?<! ) {1,256}(?=[}\]]$)/.exec(body)?.[0].length
  const unpadded = pad === undefined ? body : `${body.slice(0, -1 - pad)}${body.slice(-1)}`
  const spelling: JsonLayout = { ...escapesOf(unpadded), ...(pad !== undefined && { pad }) }
  const numbers = oddNumbers(unpadded, value)
  if (numbers === undefined) return undefined
  for (const spacing of spacings(unpadded)) {
    const layout = orderLayout({ ...spacing, ...spelling, ...numbers })
    if (renderJson(value, layout) === body) return layout
  }
  return undefined
}

/** Compact, Python's, and indented ones by the indentation this text has. */
function spacings(body: string): readonly JsonLayout[] {
  const indentation = /^[[{]\n([ \t]{1,10})/.exec(body)?.[1]
  if (indentation !== undefined) {
    const indent = /^ +$/.test(indentation) ? indentation.length : indentation
    return [{ indent }, { indent, colon: '' }]
  }
  // What follows the first colon is what a spacing is known by; without one there is no telling, and no need.
  return /^\{"[^"\\]*": /.test(body) || body.startsWith('[')
    ? [{ comma: ' ', colon: ' ' }, { colon: ' ' }, { comma: ' ' }, {}].sort(bySimplicity)
    : [{}, { comma: ' ' }]
}

function bySimplicity(one: JsonLayout, other: JsonLayout): number {
  return Object.keys(one).length - Object.keys(other).length
}

/** What the escapes of a text say about how it was escaped; a hint, as all of this is. */
function escapesOf(body: string): JsonLayout {
  const escapes: readonly string[] = body.match(/\\(?:u[0-9a-fA-F]{4}|.)/g) ?? []
  const codes = escapes.filter((found) => found.length === 6).map((found) => found.slice(2))
  const also: string[] = codes.map((code) => String.fromCharCode(Number.parseInt(code, 16))).filter(isEscapable)
  if (escapes.includes('\\/')) also.push('/')
  return {
    ...(codes.some((code) => Number.parseInt(code, 16) > 0x7f) && { escape: 'ascii' as const }),
    ...(also.length > 0 && { escapeAlso: [...new Set(also)].sort().join('') }),
    ...(codes.some((code) => /[A-F]/.test(code)) && { hex: 'upper' as const }),
  }
}

/** The spellings of numbers that ECMAScript spells otherwise; undefined where one would lose something, or they are many. */
function oddNumbers(body: string, value: Json): { readonly numbers?: Readonly<Record<string, string>> } | undefined {
  const odd = new Map<number, string>()
  let count = 0
  for (const [token] of body.matchAll(/"[^"\\]*(?:\\.[^"\\]*)*"?|-?\d[\d.eE+-]*/g)) {
    if (token.startsWith('"')) continue
    if (String(Number(token)) !== token) {
      if (odd.size >= maxOddNumbers || !isExactNumber(token)) return undefined
      odd.set(count, token)
    }
    count += 1
  }
  if (odd.size === 0) return {}
  const numbers: Record<string, string> = {}
  let at = 0
  visitNumbers(value, '', (pointer) => {
    const spelled = odd.get(at)
    if (spelled !== undefined) numbers[pointer] = spelled
    at += 1
  })
  return { numbers }
}

function visitNumbers(value: Json, pointer: string, visit: (pointer: string) => void): void {
  if (typeof value === 'number') visit(pointer)
  if (typeof value !== 'object' || value === null) return
  for (const [name, item] of Object.entries(value)) visitNumbers(item as Json, `${pointer}/${escapeStep(name)}`, visit)
}
