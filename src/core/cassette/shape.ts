/** Checks of plain data by its shape: each returns the first problem with the way to it, or undefined. Pure, no exceptions. */
import type { JsonPath } from './exact-json.ts'
import { maxValueDepth } from './json-text.ts'

export interface ShapeProblem {
  /** From the problem up to the value checked: built while returning, so a good value pays nothing for it. */
  readonly reversedPath: (string | number)[]
  readonly reason: string
}

export type Shape = (value: unknown) => ShapeProblem | undefined

/** A member's shape; `optional(shape)` for one that may be absent. */
export type Members = Readonly<Record<string, Shape | OptionalShape>>

export interface OptionalShape {
  readonly optional: Shape
}

export function optional(shape: Shape): OptionalShape {
  return { optional: shape }
}

export function problem(reason: string, path: JsonPath = []): ShapeProblem {
  // Made for every item of a list that is one of two shapes: an empty way costs nothing.
  return { reason, reversedPath: path.length === 0 ? [] : [...path].reverse() }
}

/** The same problem, seen from further up. */
export function below(path: JsonPath, found: ShapeProblem): ShapeProblem {
  found.reversedPath.push(...[...path].reverse())
  return found
}

/** An object with these members and no others. */
export function object(members: Members): Shape {
  const shapes = new Map(
    Object.entries(members).map(([name, shape]) =>
      typeof shape === 'function'
        ? [name, { shape, isRequired: true }]
        : [name, { shape: shape.optional, isRequired: false }],
    ),
  )
  const required = [...shapes.keys()].filter((name) => shapes.get(name)?.isRequired === true)
  return (value) => {
    if (!isRecord(value)) return mustBe('an object', value)
    let missing = required.length
    const names = Object.keys(value)
    // By index, as everywhere here: an iterator is asked for each name, in code that runs before V8 compiles it.
    for (let index = 0; index < names.length; index += 1) {
      const name = names[index] as string
      const member = shapes.get(name)
      if (member === undefined) return problem(`unknown member ${JSON.stringify(name)}`, [name])
      const found = member.shape(value[name])
      if (found !== undefined) return under(name, found)
      if (member.isRequired) missing -= 1
    }
    if (missing === 0) return undefined
    return problem(`the member "${required.find((name) => !Object.hasOwn(value, name))}" is missing`)
  }
}

/** An object whose names are free, except those that reach a prototype. */
export function record(shape: Shape): Shape {
  return namedBy(string, shape)
}

/** The same, with names of this shape. */
export function namedBy(nameShape: Shape, shape: Shape): Shape {
  return (value) => {
    if (!isRecord(value)) return mustBe('an object', value)
    const names = Object.keys(value)
    for (let index = 0; index < names.length; index += 1) {
      const name = names[index] as string
      if (prototypeNames.has(name)) return problem(`the name "${name}" is not allowed`, [name])
      const misnamed = nameShape(name)
      if (misnamed !== undefined) return problem(`its name: ${misnamed.reason}`, [name])
      const found = shape(value[name])
      if (found !== undefined) return under(name, found)
    }
    return undefined
  }
}

export function array(shape: Shape): Shape {
  if (shape === json) return (value) => (Array.isArray(value) ? jsonAt(value, -1) : mustBe('an array', value))
  return (value) => {
    if (!Array.isArray(value)) return mustBe('an array', value)
    for (let index = 0; index < value.length; index += 1) {
      const found = shape(value[index])
      if (found !== undefined) return under(index, found)
    }
    return undefined
  }
}

/** An array that is not empty. */
export function someOf(shape: Shape): Shape {
  const items = array(shape)
  return (value) => (Array.isArray(value) && value.length === 0 ? problem('it must not be empty') : items(value))
}

/** An array of exactly these shapes. */
export function tuple(...shapes: readonly Shape[]): Shape {
  return (value) => {
    if (!Array.isArray(value) || value.length !== shapes.length) return mustBe(`an array of ${shapes.length}`, value)
    for (let index = 0; index < shapes.length; index += 1) {
      const found = shapes[index]?.(value[index])
      if (found !== undefined) return under(index, found)
    }
    return undefined
  }
}

/** An object whose shape is told by the one of these members that it has. */
export function byMember(variants: Readonly<Record<string, Shape>>): Shape {
  const names = Object.keys(variants)
  return (value) => {
    if (!isRecord(value)) return mustBe('an object', value)
    for (const name of names) if (Object.hasOwn(value, name)) return variants[name]?.(value)
    return problem(`one of the members ${quoted(names)} is missing`)
  }
}

/** An object whose shape is told by the value of one of its members. */
export function byTag(tag: string, variants: Readonly<Record<string, Shape>>): Shape {
  const known = oneOf(...Object.keys(variants))
  return (value) => {
    if (!isRecord(value)) return mustBe('an object', value)
    if (!Object.hasOwn(value, tag)) return problem(`the member "${tag}" is missing`)
    const found = known(value[tag])
    return found === undefined ? variants[value[tag] as string]?.(value) : under(tag, found)
  }
}

export function oneOf(...literals: readonly (string | boolean)[]): Shape {
  return (value) => (literals.includes(value as string) ? undefined : mustBe(`one of ${quoted(literals)}`, value))
}

export function either(...shapes: readonly Shape[]): Shape {
  return (value) => {
    let last: ShapeProblem | undefined
    for (const shape of shapes) {
      last = shape(value)
      if (last === undefined) return undefined
    }
    return last
  }
}

export const string: Shape = (value) => (typeof value === 'string' ? undefined : mustBe('a string', value))

/** A whole number, zero or more. */
export const count: Shape = (value) =>
  Number.isSafeInteger(value) && (value as number) >= 0 ? undefined : mustBe('a whole number, zero or more', value)

export const integer: Shape = (value) => (Number.isSafeInteger(value) ? undefined : mustBe('a whole number', value))

export const number: Shape = (value) => (typeof value === 'number' ? undefined : mustBe('a number', value))

export function countWithin(least: number, most: number): Shape {
  return (value) =>
    Number.isInteger(value) && (value as number) >= least && (value as number) <= most
      ? undefined
      : mustBe(`a whole number from ${least} to ${most}`, value)
}

export function matching(pattern: RegExp, what: string): Shape {
  return (value) => (typeof value === 'string' && pattern.test(value) ? undefined : mustBe(what, value))
}

/** Any JSON value, bounded in depth, without prototype names (F19). */
export const json: Shape = (value) => jsonAt(value, 0)

/** The same of a value that stands so many levels deep in another one. */
export function jsonBelow(levels: number): Shape {
  return (value) => (typeof value === 'object' ? jsonAt(value, levels) : undefined)
}

function jsonAt(value: unknown, depth: number): ShapeProblem | undefined {
  if (typeof value !== 'object' || value === null) return undefined
  if (depth >= maxValueDepth) return problem(`it is nested more than ${maxValueDepth} levels deep`)
  if (Array.isArray(value)) {
    for (let index = 0; index < value.length; index += 1) {
      const item: unknown = value[index]
      const found = typeof item === 'object' ? jsonAt(item, depth + 1) : undefined
      if (found !== undefined) return under(index, found)
    }
    return undefined
  }
  const names = Object.keys(value)
  for (let index = 0; index < names.length; index += 1) {
    const name = names[index] as string
    if (name === '__proto__') return problem('the name "__proto__" is not allowed', [name])
    const item = (value as Record<string, unknown>)[name]
    const found = typeof item === 'object' ? jsonAt(item, depth + 1) : undefined
    if (found !== undefined) return under(name, found)
  }
  return undefined
}

const prototypeNames: ReadonlySet<string> = new Set(['__proto__', 'constructor', 'prototype'])

function under(step: string | number, found: ShapeProblem): ShapeProblem {
  found.reversedPath.push(step)
  return found
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Names what was found by kind, and never prints more of it than a short scalar: it may be a secret. */
function mustBe(what: string, value: unknown): ShapeProblem {
  return problem(`it must be ${what}, found ${kindOf(value)}`)
}

function kindOf(value: unknown): string {
  if (value === null || typeof value === 'boolean' || typeof value === 'number') return String(value)
  if (typeof value === 'string') return value.length <= 24 ? JSON.stringify(value) : 'another string'
  return Array.isArray(value) ? `an array of ${value.length}` : 'an object'
}

function quoted(names: readonly (string | boolean)[]): string {
  return names.map((name) => JSON.stringify(name)).join(', ')
}
