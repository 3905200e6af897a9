/** What `show` says of an interaction: plain data, nothing shortened. */
import type { Json } from '../../core/cassette/document.ts'

/** A labelled piece of a conversation: `user`, `result`, `call`. */
export interface Piece {
  readonly label: string
  readonly text: string
}

export interface AnswerOutline {
  readonly thinking: string
  readonly text: string
  readonly calls: readonly { readonly name: string; readonly input: string }[]
  readonly usage: Usage | undefined
  /** A refusal, media, an error, an end that is not the usual one; undefined: none of these. */
  readonly notes: readonly Piece[] | undefined
}

/** Tokens: input with what came from a cache, output with thinking. */
interface Usage {
  readonly input: number
  readonly output: number
}

type JsonObject = { readonly [key: string]: Json }

export function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** The member at this path; undefined where there is none. A number is an index. */
export function at(value: Json | undefined, ...path: readonly (string | number)[]): Json | undefined {
  let found = value
  for (const step of path) {
    if (Array.isArray(found) && typeof step === 'number') found = (found as readonly Json[])[step]
    else found = isObject(found) && Object.hasOwn(found, step) ? found[step] : undefined
  }
  return found
}

export function listAt(value: Json | undefined, ...path: readonly (string | number)[]): readonly Json[] {
  const found = at(value, ...path)
  return Array.isArray(found) ? (found as readonly Json[]) : []
}

export function textAt(value: Json | undefined, ...path: readonly (string | number)[]): string {
  const found = at(value, ...path)
  return typeof found === 'string' ? found : ''
}

export function compact(value: Json | undefined): string {
  return value === undefined ? '' : JSON.stringify(value)
}
