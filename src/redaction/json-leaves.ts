import type { LiteralRange } from './string-literals.ts'

/** A string or number of a JSON text, where it stands. Member names are not listed. */
export interface JsonLeaf extends LiteralRange {
  readonly type: 'string' | 'number'
  /** Names and indexes from the root, as a JSON pointer without escapes. */
  readonly pointer: string
  /** The pointer with `*` for every place in an array. */
  readonly shape: string
  /** The pointer of the object or array that holds it, and the last name. */
  readonly parent: string
  readonly name: string
}

interface Container {
  readonly pointer: string
  readonly shape: string
  readonly isArray: boolean
  index: number
  name: string
}

/**
 * The leaves of the JSON text that stands in `[start, end)`, in order. Undefined where it is no JSON at all.
 * Lenient about what lies between: this only finds places, it judges nothing.
 */
export function jsonLeaves(text: string, { start, end }: LiteralRange): JsonLeaf[] | undefined {
  const first = text[start]
  if (first !== '{' && first !== '[') return undefined
  const leaves: JsonLeaf[] = []
  const stack: Container[] = []
  let index = start
  while (index < end) {
    const code = text.charCodeAt(index)
    const top = stack.at(-1)
    if (code === 0x7b || code === 0x5b) {
      stack.push({ ...placeIn(top), isArray: code === 0x5b, index: 0, name: '' })
    } else if (code === 0x7d || code === 0x5d) {
      if (stack.pop() === undefined || stack.length === 0) return leaves
    } else if (code === 0x2c && top !== undefined) top.index += 1
    else if (code === 0x22 && top !== undefined) {
      const close = closingQuote(text, index + 1, end)
      if (close < 0) return undefined
      if (!top.isArray && isName(text, close + 1, end)) top.name = text.slice(index + 1, close)
      else leaves.push(leafOf(top, 'string', { start: index + 1, end: close }))
      index = close
    } else if (isNumberCode(code) && top !== undefined) {
      const from = index
      while (index + 1 < end && isNumberCode(text.charCodeAt(index + 1))) index += 1
      leaves.push(leafOf(top, 'number', { start: from, end: index + 1 }))
    }
    index += 1
  }
  return undefined
}

function placeIn(container: Container | undefined): Pick<Container, 'pointer' | 'shape'> {
  if (container === undefined) return { pointer: '', shape: '' }
  const { pointer, shape, isArray, index, name } = container
  return { pointer: `${pointer}/${isArray ? index : name}`, shape: `${shape}/${isArray ? '*' : name}` }
}

function leafOf(container: Container, type: JsonLeaf['type'], { start, end }: LiteralRange): JsonLeaf {
  const name = container.isArray ? String(container.index) : container.name
  const shape = `${container.shape}/${container.isArray ? '*' : name}`
  // Member by member: spreading here made the whole pass three times as slow.
  return { start, end, type, pointer: `${container.pointer}/${name}`, shape, parent: container.pointer, name }
}

/** The quote that ends the string whose content begins at `start`; -1 where none does before `end`. */
export function closingQuote(text: string, start: number, end: number): number {
  for (let index = text.indexOf('"', start); index >= 0 && index < end; index = text.indexOf('"', index + 1)) {
    let backslashes = 0
    while (text[index - backslashes - 1] === '\\' && index - backslashes > start) backslashes += 1
    if (backslashes % 2 === 0) return index
  }
  return -1
}

function isName(text: string, index: number, end: number): boolean {
  let at = index
  while (at < end && text.charCodeAt(at) <= 0x20) at += 1
  return text[at] === ':'
}

function isNumberCode(code: number): boolean {
  return (code >= 0x30 && code <= 0x39) || code === 0x2d || code === 0x2e
}
