import type { Json } from '../core/cassette/document.ts'
import { ellipsis } from '../errors/elide.ts'

/** JSON text on one line, cut after about `limit` characters: the work is bounded whatever the value's size or depth. */
export function compactJson(value: Json, limit: number): string {
  const pieces: string[] = []
  write({ pieces, left: limit, depth: 0 }, value)
  return pieces.join('')
}

interface Output {
  readonly pieces: string[]
  left: number
  depth: number
}

/** Deeper values are left out: the stack is bounded too. */
const maxDepth = 500

function write(output: Output, value: Json): void {
  if (output.left <= 0) return
  if (typeof value === 'string') put(output, JSON.stringify(value.slice(0, output.left + 1)))
  else if (typeof value !== 'object' || value === null) put(output, String(value))
  else if (output.depth >= maxDepth) put(output, ellipsis)
  else {
    output.depth += 1
    if (Array.isArray(value)) writeArray(output, value)
    else writeObject(output, value as { readonly [key: string]: Json })
    output.depth -= 1
  }
}

function writeArray(output: Output, items: readonly Json[]): void {
  put(output, '[')
  for (const [index, item] of items.entries()) {
    if (output.left <= 0) return
    if (index > 0) put(output, ',')
    write(output, item)
  }
  put(output, ']')
}

function writeObject(output: Output, members: { readonly [key: string]: Json }): void {
  put(output, '{')
  let isFirst = true
  for (const name in members) {
    if (output.left <= 0) return
    put(output, `${isFirst ? '' : ','}${JSON.stringify(name.slice(0, output.left + 1))}:`)
    write(output, members[name] as Json)
    isFirst = false
  }
  put(output, '}')
}

function put(output: Output, text: string): void {
  output.pieces.push(text)
  output.left -= text.length
}
