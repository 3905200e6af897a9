import type { Json } from '../core/cassette/document.ts'

/** One step into a JSON value: a member, an index, or `null`: into the JSON that a text holds. */
export type PathSegment = string | number | null

const plainName = /^[\p{L}_$][\p{L}\p{N}_$]*$/u

/** As a reader writes it: `messages[2].content`, `tools[0].headers["x-a"]`, `tool_calls[0].function.arguments → city`. */
export function readerPath(path: readonly PathSegment[]): string {
  let text = ''
  let first = true
  for (const segment of path) {
    if (segment === null) text += ' → '
    else if (typeof segment === 'number') text += `[${segment}]`
    else if (!plainName.test(segment)) text += `[${JSON.stringify(segment)}]`
    else text += first ? segment : `.${segment}`
    first = segment === null
  }
  return text
}

/** The value at a path; undefined where there is none. Stops before a step into a text: gives the text itself. */
export function valueAt(root: Json | undefined, path: readonly PathSegment[]): Json | undefined {
  let value = root
  for (const segment of path) {
    if (segment === null) return value
    value = memberOf(value, segment)
    if (value === undefined) return undefined
  }
  return value
}

/** A member or an element; undefined for anything that has none of that name. */
export function memberOf(value: Json | undefined, segment: string | number): Json | undefined {
  if (Array.isArray(value)) return typeof segment === 'number' ? (value as readonly Json[])[segment] : undefined
  if (!isJsonObject(value) || !Object.hasOwn(value, segment)) return undefined
  return value[segment]
}

export function isJsonObject(value: Json | undefined): value is { readonly [key: string]: Json } {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** The member as a string; undefined where it is anything else. */
export function stringAt(value: Json | undefined, name: string): string | undefined {
  const member = memberOf(value, name)
  return typeof member === 'string' ? member : undefined
}
