/**
 * One number for each distinct JSON value, key order included: equal numbers, equal values. Makes comparing the requests of a
 * long conversation with each other cost no more than reading each of them once.
 */
import type { Json } from './document.ts'

export class ValueIndex {
  readonly #ids = new Map<string, number>()
  readonly #sizes: number[] = []
  readonly #known = new WeakMap<object, number>()

  idOf(value: Json): number {
    if (typeof value === 'string') return this.#idOfKey(`"${value}`, value.length + 2)
    if (typeof value !== 'object' || value === null) return this.#idOfKey(String(value), String(value).length)
    const known = this.#known.get(value)
    if (known !== undefined) return known
    const id = Array.isArray(value)
      ? this.#idOfArray(value)
      : this.#idOfObject(value as { readonly [name: string]: Json })
    this.#known.set(value, id)
    return id
  }

  /** About the length of the value's compact text. */
  sizeOf(value: Json): number {
    return this.#sizes[this.idOf(value)] as number
  }

  #idOfArray(items: readonly Json[]): number {
    let key = '['
    let size = 1
    for (const item of items) {
      const id = this.idOf(item)
      key += `${id},`
      size += (this.#sizes[id] as number) + 1
    }
    return this.#idOfKey(key, size)
  }

  #idOfObject(members: { readonly [name: string]: Json }): number {
    let key = '{'
    let size = 1
    for (const name of Object.keys(members)) {
      const id = this.idOf(members[name] as Json)
      key += `${this.idOf(name)}:${id},`
      size += name.length + 4 + (this.#sizes[id] as number)
    }
    return this.#idOfKey(key, size)
  }

  #idOfKey(key: string, size: number): number {
    const known = this.#ids.get(key)
    if (known !== undefined) return known
    const id = this.#sizes.length
    this.#ids.set(key, id)
    this.#sizes.push(size)
    return id
  }
}
