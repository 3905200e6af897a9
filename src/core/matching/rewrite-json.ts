/** A copy of a JSON value with its leaves replaced, without recursion. */
import type { Json } from '../cassette/document.ts'
import { ExactNumber } from '../hashing/exact-number.ts'
import type { LosslessJson } from '../hashing/serialise-lossless.ts'

export type Leaf = null | boolean | number | string | ExactNumber

/** Gives what stands in a leaf's place. `name` is the member that holds it; undefined in an array and at the root. */
export type RewriteLeaf = (leaf: Leaf, name: string | undefined) => Json

interface Frame {
  readonly items: readonly LosslessJson[]
  /** Undefined for an array. */
  readonly names: readonly string[] | undefined
  readonly put: (index: number, value: Json) => void
  index: number
}

/**
 * Copies every container and passes every leaf through `rewrite`. Members are visited (and written) in the order of
 * their names, so that "the first one seen" means the same in two values that differ in key order alone.
 */
export function rewriteJson(root: LosslessJson, rewrite: RewriteLeaf): Json {
  const frames: Frame[] = []
  const copy = (value: LosslessJson, name: string | undefined): Json => {
    if (isLeaf(value)) return rewrite(value, name)
    const { result, frame } = openContainer(value)
    frames.push(frame)
    return result
  }
  const result = copy(root, undefined)
  for (let frame = frames.at(-1); frame !== undefined; frame = frames.at(-1)) {
    const index = frame.index++
    if (index >= frame.items.length) frames.pop()
    else frame.put(index, copy(frame.items[index] as LosslessJson, frame.names?.[index]))
  }
  return result
}

function isLeaf(value: LosslessJson): value is Leaf {
  return typeof value !== 'object' || value === null || value instanceof ExactNumber
}

function openContainer(value: Exclude<LosslessJson, Leaf>): { readonly result: Json; readonly frame: Frame } {
  if (Array.isArray(value)) {
    const elements: Json[] = []
    const frame: Frame = { items: value, names: undefined, index: 0, put: (_, element) => elements.push(element) }
    return { result: elements, frame }
  }
  const source = value as { readonly [name: string]: LosslessJson }
  const names = Object.keys(source)
    .filter((name) => source[name] !== undefined)
    .sort()
  const members: Record<string, Json> = {}
  const put = (index: number, member: Json): void => setMember({ members, name: names[index] as string, member })
  return { result: members, frame: { items: names.map((name) => source[name] as LosslessJson), names, index: 0, put } }
}

interface Member {
  readonly members: Record<string, Json>
  readonly name: string
  readonly member: Json
}

/** An assignment to `__proto__` would set the prototype. */
function setMember({ members, name, member }: Member): void {
  if (name !== '__proto__') members[name] = member
  else Object.defineProperty(members, name, { value: member, enumerable: true, configurable: true, writable: true })
}
