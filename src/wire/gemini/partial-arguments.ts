/** Arguments of a function call that Vertex streams one leaf at a time: `{"jsonPath": "$.city.name", "stringValue": "Os"}`. */
import type { Json } from '../../core/cassette/document.ts'
import { maxValueDepth } from '../../core/cassette/json-text.ts'
import { editAt, type JsonObject, listOf, objectOf, stringOf } from '../read-json.ts'

interface PartialState {
  readonly args: Json
  /** The path of the string that goes on with the next fragment. */
  readonly open: Json | undefined
}

export function applyPartialArgument({ args, open }: PartialState, partial: JsonObject): PartialState {
  const path = stringOf(partial.jsonPath) ?? '$'
  if (path.length > maxPathLength) return { args, open: undefined }
  const steps = stepsOf(path)
  // Deeper than any value we keep: no path of a real schema, and recursion must end.
  if (steps.length > maxValueDepth) return { args, open: undefined }
  const piece = stringOf(partial.stringValue)
  const edit = (before: Json | undefined): Json => {
    if (piece !== undefined) return (open === path ? (stringOf(before) ?? '') : '') + piece
    return partial.numberValue ?? partial.boolValue ?? null
  }
  return { args: editPath({ value: args, steps, edit }), open: partial.willContinue === true ? path : undefined }
}

/** Longer than any of a real schema; the time to read one grows with its square. */
const maxPathLength = 4096

/** `$.a.b[0]["c d"]` as `a`, `b`, 0, `c d`. */
function stepsOf(path: string): readonly (string | number)[] {
  const steps: (string | number)[] = []
  for (const match of path.matchAll(/\.?([^.[\]$'"]+)(?=[.[]|$)|\[(\d+)\]|\[(?:'([^']*)'|"([^"]*)")\]/g)) {
    const [, name, index, single, double] = match
    steps.push(index === undefined ? (name ?? single ?? double ?? '') : Number(index))
  }
  return steps
}

interface PathEdit {
  readonly value: Json | undefined
  readonly steps: readonly (string | number)[]
  readonly edit: (before: Json | undefined) => Json
}

function editPath({ value, steps, edit }: PathEdit): Json {
  const [step, ...rest] = steps
  if (step === undefined) return edit(value)
  const editRest = (inner: Json | undefined): Json => editPath({ value: inner, steps: rest, edit })
  if (typeof step === 'number') return editAt(listOf(value), { index: step, edit: editRest })
  const members = objectOf(value) ?? {}
  return { ...members, [step]: editRest(Object.hasOwn(members, step) ? members[step] : undefined) }
}
