/** Reading JSON of which nothing is promised: each function gives undefined (or nothing) for what is not there. */
import type { Json } from '../core/cassette/document.ts'

export type JsonObject = { readonly [key: string]: Json }

export function objectOf(value: Json | undefined): JsonObject | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined
  return value as JsonObject
}

export function listOf(value: Json | undefined): readonly Json[] {
  return Array.isArray(value) ? (value as readonly Json[]) : []
}

/** The objects of a list; other elements are left out. */
export function objectsOf(value: Json | undefined): readonly JsonObject[] {
  return listOf(value)
    .map(objectOf)
    .filter((element) => element !== undefined)
}

export function stringOf(value: Json | undefined): string | undefined {
  return typeof value === 'string' ? value : undefined
}

/** A string with something in it: providers send `""` for what they have not. */
export function filledOf(value: Json | undefined): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined
}

export function numberOf(value: Json | undefined): number | undefined {
  return typeof value === 'number' ? value : undefined
}

/** The members that are not null: in a stream, null means "nothing new". */
export function withoutNulls(value: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(value).filter(([, member]) => member !== null))
}

export function withoutMembers(value: JsonObject, names: readonly string[]): JsonObject {
  return Object.fromEntries(Object.entries(value).filter(([name]) => !names.includes(name)))
}

/** The value without its undefined members, as optional members want it. */
export function withoutUndefined<T extends object>(value: { readonly [K in keyof T]: T[K] | undefined }): T {
  return Object.fromEntries(Object.entries(value).filter(([, member]) => member !== undefined)) as T
}

/**
 * The list with its element at `index` edited; an index at or beyond the end appends one, so that a number in an event
 * never makes a list long.
 */
export function editAt<T>(
  list: readonly T[],
  { index, edit }: { readonly index: number; readonly edit: (element: T | undefined) => T },
): readonly T[] {
  const at = index >= 0 && index < list.length ? index : list.length
  return at === list.length ? [...list, edit(undefined)] : list.with(at, edit(list[at]))
}
