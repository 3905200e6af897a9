/** RFC 8785 without recursion, for values that may hold numbers no double holds. */
import { ReplayError } from '../../errors/replay-error.ts'
import { ExactNumber } from './exact-number.ts'

/** A JSON value in which a number that a double does not hold exactly is an ExactNumber. */
export type LosslessJson =
  | null
  | boolean
  | number
  | string
  | ExactNumber
  | readonly LosslessJson[]
  | { readonly [name: string]: LosslessJson }

/** One open array or object. `names` is undefined for an array. */
interface Frame {
  readonly source: object
  readonly names: readonly string[] | undefined
  readonly items: readonly LosslessJson[]
  index: number
}

/** The canonical text. Exact numbers stand as their decimal text, unquoted: no string and no double can look like one. */
export function serialiseLossless(root: LosslessJson): string {
  const frames: Frame[] = []
  const open = new Set<object>()
  let output = ''
  const write = (value: LosslessJson): void => {
    if (!isContainer(value)) {
      output += scalarText(value)
      return
    }
    if (open.has(value)) throw notJson('a cycle')
    open.add(value)
    output += Array.isArray(value) ? '[' : '{'
    frames.push(frameOf(value))
  }
  write(root)
  for (let frame = frames.at(-1); frame !== undefined; frame = frames.at(-1)) {
    if (frame.index === frame.items.length) {
      output += frame.names === undefined ? ']' : '}'
      open.delete(frame.source)
      frames.pop()
      continue
    }
    if (frame.index > 0) output += ','
    if (frame.names !== undefined) output += `${JSON.stringify(frame.names[frame.index])}:`
    write(frame.items[frame.index++] ?? null)
  }
  return output
}

type Container = readonly LosslessJson[] | { readonly [name: string]: LosslessJson }

function isContainer(value: LosslessJson): value is Container {
  return typeof value === 'object' && value !== null && !(value instanceof ExactNumber)
}

function frameOf(source: Container): Frame {
  if (Array.isArray(source)) return { source, names: undefined, items: source, index: 0 }
  const members = source as { readonly [name: string]: LosslessJson }
  const names = Object.keys(members)
    .filter((name) => members[name] !== undefined)
    .sort()
  return { source, names, items: names.map((name) => members[name] as LosslessJson), index: 0 }
}

function scalarText(value: null | boolean | number | string | ExactNumber): string {
  if (value instanceof ExactNumber) return value.text
  if (typeof value === 'number' && !Number.isFinite(value)) throw notJson(String(value))
  if (value !== null && !['string', 'number', 'boolean'].includes(typeof value)) throw notJson(`a ${typeof value}`)
  return JSON.stringify(value)
}

function notJson(found: string): ReplayError {
  return new ReplayError('TURNTAPE_USAGE', {
    problem: `A value to be hashed is not JSON: it holds ${found}.`,
    remedy: 'Pass values that survive JSON.parse(JSON.stringify(value)).',
  })
}
