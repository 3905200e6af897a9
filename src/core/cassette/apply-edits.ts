/** Edits done to an earlier request body, and holes filled (F11). What is not touched is shared with it, and never changed. */
import type { Json } from './document.ts'
import { pointerPath, stepInto } from './json-pointer.ts'
import { type Edit, hole } from './packed-document.ts'

/** What an element or a member of a copy takes, its value apart. */
const slotBytes = 16

/** A value being changed: containers are copied when they are first touched, so that a thousand edits copy each but once. */
export class Draft {
  #root: Json
  readonly #own = new Set<object>()
  readonly #spend: (bytes: number) => void

  /** `spend` is told about how many bytes each copy takes, before it is made. */
  constructor(base: Json, spend: (bytes: number) => void = () => undefined) {
    this.#root = base
    this.#spend = spend
  }

  get value(): Json {
    return this.#root
  }

  /** False where there is no such place, or no such value at it; the draft is of no use then. */
  apply(edit: Edit): boolean {
    const path = pointerPath(edit.at)
    if (path === undefined) return false
    if ('set' in edit) return this.set(path, edit.set)
    if ('unset' in edit) return this.#unset(path)
    return this.#splice(path, edit)
  }

  /** Replaces what stands there, or adds a last member. */
  set(path: readonly string[], value: Json): boolean {
    const step = path.at(-1)
    if (step === undefined) {
      this.#root = value
      return true
    }
    const parent = this.#touch(path.slice(0, -1))
    if (parent === undefined || step === '__proto__') return false
    if (Array.isArray(parent) && stepInto(parent, step) === undefined) return false
    ;(parent as Record<string, Json>)[step] = value
    return true
  }

  /** Puts a value where a hole stands; false where none does. */
  fill(path: readonly string[], value: Json): boolean {
    return this.#at(path) === hole && this.set(path, value)
  }

  #unset(path: readonly string[]): boolean {
    const step = path.at(-1)
    const parent = step === undefined ? undefined : this.#touch(path.slice(0, -1))
    if (parent === undefined || Array.isArray(parent) || step === undefined || !Object.hasOwn(parent, step))
      return false
    delete (parent as Record<string, Json>)[step]
    return true
  }

  #splice(path: readonly string[], edit: Extract<Edit, { append: unknown } | { from: unknown }>): boolean {
    const before = this.#at(path)
    if (typeof before !== 'string' && !Array.isArray(before)) return false
    const { from, remove = 0 } = 'from' in edit ? edit : { from: before.length }
    const insert = 'append' in edit ? edit.append : edit.insert
    if (from + remove > before.length) return false
    if (typeof before === 'string') {
      if (insert !== undefined && typeof insert !== 'string') return false
      this.#spend(before.length)
      return this.set(path, before.slice(0, from) + (insert ?? '') + before.slice(from + remove))
    }
    if (typeof insert === 'string') return false
    const items = this.#touch(path) as Json[]
    // In one piece: as arguments of `splice`, very many elements would overflow the stack.
    const rest = items.splice(from)
    for (const item of insert ?? []) items.push(item)
    for (let index = remove; index < rest.length; index += 1) items.push(rest[index] as Json)
    return true
  }

  #at(path: readonly string[]): Json | undefined {
    let value: Json | undefined = this.#root
    for (const step of path) value = stepInto(value, step)
    return value
  }

  /** The container at the path, ours to change; undefined where there is none. */
  #touch(path: readonly string[]): Json[] | Record<string, Json> | undefined {
    let node = this.#copied(this.#root)
    if (node === undefined) return undefined
    this.#root = node
    for (const step of path) {
      const next = this.#copied(stepInto(node, step))
      if (next === undefined) return undefined
      ;(node as Record<string, Json>)[step] = next
      node = next
    }
    return node
  }

  #copied(value: Json | undefined): Json[] | Record<string, Json> | undefined {
    if (typeof value !== 'object' || value === null) return undefined
    if (this.#own.has(value)) return value as Json[] | Record<string, Json>
    this.#spend((Array.isArray(value) ? value.length : Object.keys(value).length) * slotBytes)
    const copy = Array.isArray(value) ? ([...value] as Json[]) : { ...(value as Record<string, Json>) }
    this.#own.add(copy)
    return copy
  }
}
