import type { Json } from '../core/cassette/document.ts'
import { jsonEqual } from '../core/cassette/json-equal.ts'
import { alignArrays } from './align-arrays.ts'
import { isJsonObject, memberOf, type PathSegment, stringAt } from './json-path.ts'

/** One place where two JSON values differ. */
export interface JsonChange {
  readonly change: 'changed' | 'added' | 'removed'
  /** Where it is in each value; for one that was added or removed the other path is where it would be. */
  readonly recordedPath: readonly PathSegment[]
  readonly presentPath: readonly PathSegment[]
  readonly recorded: Json | undefined
  readonly present: Json | undefined
}

/** Visits of one comparison; what lies beyond is compared as a whole. */
const maxVisits = 200_000

const maxDepth = 60

/** A longer text is not looked into for JSON. */
const maxInnerJsonLength = 1_000_000

/**
 * The places where two values differ, in the recorded order, added ones at their place. Arrays are aligned; tools are
 * paired by name; a text that holds a JSON object or array on both sides is compared inside.
 */
export function jsonChanges(recorded: Json | undefined, present: Json | undefined): JsonChange[] {
  const walk: Walk = { changes: [], visits: 0 }
  compare(walk, { recorded, present, recordedPath: [], presentPath: [] })
  return walk.changes
}

interface Walk {
  readonly changes: JsonChange[]
  visits: number
}

type Place = Omit<JsonChange, 'change'>

function compare(walk: Walk, place: Place): void {
  const { recorded, present } = place
  if (recorded === present) return
  walk.visits += 1
  if (recorded === undefined) walk.changes.push({ change: 'added', ...place })
  else if (present === undefined) walk.changes.push({ change: 'removed', ...place })
  else if (walk.visits > maxVisits || place.presentPath.length > maxDepth) compareWhole(walk, place)
  else if (typeof recorded === 'string' && typeof present === 'string') compareTexts(walk, place)
  else if (Array.isArray(recorded) && Array.isArray(present)) compareArrays(walk, place)
  else if (isJsonObject(recorded) && isJsonObject(present)) compareMembers(walk, place)
  else compareWhole(walk, place)
}

function compareWhole(walk: Walk, place: Place): void {
  if (!jsonEqual(place.recorded, place.present)) walk.changes.push({ change: 'changed', ...place })
}

function compareTexts(walk: Walk, place: Place): void {
  const recorded = innerJson(place.recorded as string)
  const present = innerJson(place.present as string)
  const before = walk.changes.length
  if (recorded !== undefined && present !== undefined) {
    compare(walk, {
      recorded,
      present,
      recordedPath: [...place.recordedPath, null],
      presentPath: [...place.presentPath, null],
    })
  }
  // Not JSON, or JSON that differs in its spelling alone.
  if (walk.changes.length === before) walk.changes.push({ change: 'changed', ...place })
}

function innerJson(text: string): Json | undefined {
  if (text.length > maxInnerJsonLength || !/^\s*[[{]/.test(text)) return undefined
  try {
    return JSON.parse(text) as Json
  } catch {
    return undefined // a text that only begins like JSON
  }
}

function compareMembers(walk: Walk, place: Place): void {
  const recorded = place.recorded as { readonly [key: string]: Json }
  const present = place.present as { readonly [key: string]: Json }
  for (const name of Object.keys(recorded)) compareMember({ walk, place, name })
  for (const name of Object.keys(present)) if (!Object.hasOwn(recorded, name)) compareMember({ walk, place, name })
}

function compareMember({
  walk,
  place,
  name,
}: {
  readonly walk: Walk
  readonly place: Place
  readonly name: string
}): void {
  compare(walk, {
    recorded: memberOf(place.recorded, name),
    present: memberOf(place.present, name),
    recordedPath: [...place.recordedPath, name],
    presentPath: [...place.presentPath, name],
  })
}

function compareArrays(walk: Walk, place: Place): void {
  const recorded = place.recorded as readonly Json[]
  const present = place.present as readonly Json[]
  const recordedNames = holdsTools(place.recordedPath) ? toolNames(recorded) : undefined
  const presentNames = recordedNames === undefined ? undefined : toolNames(present)
  if (recordedNames !== undefined && presentNames !== undefined) {
    compareByName({ walk, place, recorded: recordedNames, present: presentNames })
    return
  }
  for (const pair of alignArrays(recorded, present)) compareElements({ walk, place, ...pair })
}

interface NamedArrays {
  readonly walk: Walk
  readonly place: Place
  readonly recorded: readonly string[]
  readonly present: readonly string[]
}

function compareByName({ walk, place, ...names }: NamedArrays): void {
  const before = walk.changes.length
  for (const [index, name] of names.recorded.entries()) {
    const present = names.present.indexOf(name)
    compareElements({ walk, place, recorded: index, present: present === -1 ? undefined : present })
  }
  for (const [index, name] of names.present.entries()) {
    if (!names.recorded.includes(name)) compareElements({ walk, place, recorded: undefined, present: index })
  }
  const reordered = names.recorded.some((name, index) => name !== names.present[index])
  if (walk.changes.length === before && reordered) {
    walk.changes.push({ ...place, change: 'changed', recorded: names.recorded, present: names.present })
  }
}

interface Elements {
  readonly walk: Walk
  readonly place: Place
  readonly recorded: number | undefined
  readonly present: number | undefined
}

function compareElements({ walk, place, recorded, present }: Elements): void {
  compare(walk, {
    recorded: recorded === undefined ? undefined : memberOf(place.recorded, recorded),
    present: present === undefined ? undefined : memberOf(place.present, present),
    recordedPath: [...place.recordedPath, recorded ?? (present as number)],
    presentPath: [...place.presentPath, present ?? (recorded as number)],
  })
}

function holdsTools(path: readonly PathSegment[]): boolean {
  const member = path.findLast((segment) => typeof segment === 'string')
  return (
    member === 'tools' ||
    member === 'functions' ||
    member === 'functionDeclarations' ||
    member === 'function_declarations'
  )
}

/** The name of each tool; undefined where one has none or two share one. */
function toolNames(tools: readonly Json[]): readonly string[] | undefined {
  const names = tools.map(toolName)
  return names.includes(undefined) || new Set(names).size < names.length ? undefined : (names as string[])
}

/** The name of a tool definition in any provider's shape; for a built-in tool its type. */
export function toolName(tool: Json | undefined): string | undefined {
  const inner = memberOf(tool, 'function') ?? memberOf(tool, 'toolSpec')
  return stringAt(tool, 'name') ?? stringAt(inner, 'name') ?? stringAt(tool, 'type')
}
