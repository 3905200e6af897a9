/** Large values that come again, said once (F11): the first stands in the file, later ones name its place. */
import type { Json } from './document.ts'
import { escapeStep } from './json-pointer.ts'
import { type Filled, hole } from './packed-document.ts'
import type { ValueIndex } from './value-index.ts'

/** Smaller values are said again: a reader should not have to look them up. */
const leastShared = 200

export class RecurringValues {
  readonly #index: ValueIndex
  /** Where each large value stands first. */
  readonly #places = new Map<number, string>()

  constructor(index: ValueIndex) {
    this.#index = index
  }

  /** For one body, or event, or value: what stands in it can be named only when all of it was punched. */
  start(): Puncher {
    return new Puncher(this.#index, this.#places)
  }

  /** A value that is a body, or event, or value of its own. `placeOf` names the place of each pointer into it. */
  punch(value: Json, placeOf: (pointer: string) => string): { readonly value: Json } & Filled {
    const puncher = this.start()
    return { value: puncher.punch(value, ''), ...puncher.finish(placeOf) }
  }
}

export class Puncher {
  readonly #index: ValueIndex
  readonly #places: Map<number, string>
  readonly #same: Record<string, string> = {}
  readonly #found: [id: number, pointer: string][] = []

  constructor(index: ValueIndex, places: Map<number, string>) {
    this.#index = index
    this.#places = places
  }

  /** The value with a hole for each large value that stands before. `pointer`: where it stands in its body. */
  punch(value: Json, pointer: string): Json {
    if (this.#index.sizeOf(value) < leastShared) return value
    const id = this.#index.idOf(value)
    const place = this.#places.get(id)
    if (place !== undefined) {
      this.#same[pointer] = place
      return hole
    }
    this.#found.push([id, pointer])
    if (typeof value !== 'object' || value === null) return value
    if (Array.isArray(value)) return value.map((item: Json, at) => this.punch(item, `${pointer}/${at}`))
    return Object.fromEntries(
      Object.entries(value).map(([name, item]) => [name, this.punch(item as Json, `${pointer}/${escapeStep(name)}`)]),
    )
  }

  /** What the holes are filled with. What is large and new can be named from now on. */
  finish(placeOf: (pointer: string) => string): Filled {
    for (const [id, pointer] of this.#found) if (!this.#places.has(id)) this.#places.set(id, placeOf(pointer))
    return Object.keys(this.#same).length === 0 ? {} : { same: this.#same }
  }
}
