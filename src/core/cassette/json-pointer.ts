/** JSON pointers, RFC 6901: `/interactions/0/request/url`; empty for the whole value. */
import type { Json } from './document.ts'

export function jsonPointer(path: readonly (string | number)[]): string {
  let pointer = ''
  for (const step of path) pointer += `/${escapeStep(step)}`
  return pointer
}

/** One step as it stands in a pointer. */
export function escapeStep(step: string | number): string {
  const text = String(step)
  return /[~/]/.test(text) ? text.replaceAll('~', '~0').replaceAll('/', '~1') : text
}

/** The steps of a pointer; undefined for text that is no pointer. */
export function pointerPath(pointer: string): readonly string[] | undefined {
  if (pointer === '') return []
  if (!pointer.startsWith('/')) return undefined
  const steps = pointer.slice(1).split('/')
  if (!pointer.includes('~')) return steps
  if (/~(?![01])/.test(pointer)) return undefined
  return steps.map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'))
}

/** The value one step below, own members and elements only; undefined where there is none. */
export function stepInto(value: Json | undefined, step: string): Json | undefined {
  if (typeof value !== 'object' || value === null) return undefined
  if (Array.isArray(value)) return arrayIndex.test(step) ? (value[Number(step)] as Json | undefined) : undefined
  return Object.hasOwn(value, step) ? (value as Readonly<Record<string, Json>>)[step] : undefined
}

const arrayIndex = /^(?:0|[1-9]\d{0,9})$/

/** The value at a path; undefined where there is none. */
export function valueAt(value: Json, path: readonly string[]): Json | undefined {
  let found: Json | undefined = value
  for (const step of path) {
    found = stepInto(found, step)
    if (found === undefined) return undefined
  }
  return found
}
