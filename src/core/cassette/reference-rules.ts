/** What a packed cassette takes from elsewhere in the file: it stands there, earlier, and does not add up to a bomb (F11, F19, F20). */
import type { Json } from './document.ts'
import { pointerPath, valueAt } from './json-pointer.ts'
import { maxValueDepth } from './json-text.ts'
import { eventCount, isRun, isRunBetween } from './pack-events.ts'
import {
  type Filled,
  hole,
  type PackedCassette,
  type PackedEvent,
  type PackedHttpInteraction,
  type PackedInteraction,
  type PackedJson,
  type SingleEvent,
} from './packed-document.ts'
import type { PackedValues } from './packed-values.ts'
import { below, problem, type ShapeProblem } from './shape.ts'
import { readPlace, type ValuePlace } from './value-place.ts'

export interface ReferenceCheck {
  /** The first reference that cannot be followed. */
  readonly problem: ShapeProblem | undefined
  /** About how many bytes the references of each body add to it, by the number of its interaction. */
  readonly added: ReadonlyMap<number, number>
}

export interface ReferenceContext {
  readonly values: PackedValues
  /** The size of the whole file. */
  readonly fileBytes: number
  /** The most that one body may take. */
  readonly maxBytes: number
  /** Told how large each body will at least be; throws where that is too much. */
  readonly checkBytes: (bytes: number) => void
}

/** @throws what `checkBytes` throws */
export function checkReferences(cassette: PackedCassette, context: ReferenceContext): ReferenceCheck {
  const checker = new ReferenceChecker(context)
  for (const [index, interaction] of cassette.interactions.entries()) {
    const found = checker.interactionProblem(interaction)
    if (found !== undefined) return { problem: below(['interactions', index], found), added: checker.added }
  }
  return { problem: undefined, added: checker.added }
}

/** Where something stands in the file: the number of its interaction, request before response, event by event. */
type Position = readonly [number: number, part: 0 | 1, event: number]

interface Measure {
  readonly bytes: number
  readonly depth: number
}

class ReferenceChecker {
  readonly added = new Map<number, number>()
  readonly #values: PackedValues
  readonly #fileBytes: number
  readonly #maxBytes: number
  readonly #checkBytes: (bytes: number) => void
  /** What references add to each request and to those it is told by, by its number. */
  readonly #requestAdded = new Map<number, number>()
  /** Values are shared, so each is measured but once, however often it is referred to. */
  readonly #measures = new WeakMap<object, Measure>()

  constructor({ values, fileBytes, maxBytes, checkBytes }: ReferenceContext) {
    this.#values = values
    this.#fileBytes = fileBytes
    this.#maxBytes = maxBytes
    this.#checkBytes = checkBytes
  }

  interactionProblem(interaction: PackedInteraction): ShapeProblem | undefined {
    const { number } = interaction
    const { request } = interaction
    if ('like' in request && (request.edits ?? request.same) !== undefined && !this.#values.hasJson(number)) {
      return problem('there is no JSON body to be changed', ['request', 'like'])
    }
    const inRequest = 'like' in request || !('body' in request) ? request : request.body
    const requestPath = inRequest === request ? ['request'] : ['request', 'body']
    const found = this.#filledProblem(inRequest, requestPath, [number, 0, 0])
    if (found !== undefined) return found
    if (!('result' in interaction)) this.#checkRequestBytes(interaction)
    if ('result' in interaction) return this.#filledProblem(interaction.result, ['result'], [number, 1, 0])
    const body = interaction.response?.body
    if (body === undefined) return undefined
    const path = ['response', 'body']
    if (!('events' in body)) return this.#filledProblem(body, path, [number, 1, 0])
    const broken = this.#eventsProblem(body.events, number)
    return broken === undefined ? undefined : below([...path, 'events'], broken)
  }

  /** All that its chain says stands in the file, each part once; what it takes from elsewhere may stand there many times. */
  #checkRequestBytes({ number, request }: PackedHttpInteraction): void {
    if (!this.#values.hasJson(number)) return
    const [base, { same }] =
      'like' in request ? [this.#requestAdded.get(request.like) ?? 0, request] : [0, request.body as PackedJson]
    const added = base + (same === undefined ? 0 : this.#filledBytes(same))
    this.#requestAdded.set(number, added)
    if (added === 0 || this.#fileBytes + added <= this.#maxBytes) return
    this.#checkBytes(this.#measure(this.#values.json(number)).bytes)
  }

  #eventsProblem(events: readonly PackedEvent[], number: number): ShapeProblem | undefined {
    let next = 1
    for (const [index, item] of events.entries()) {
      if ('same' in item || 'between' in item) {
        for (const { path, event, at } of singlesOf(item)) {
          const found = this.#filledProblem(event, [index, ...path], [number, 1, next + at])
          if (found !== undefined) return found
        }
      }
      next += eventCount(item)
    }
    return undefined
  }

  #filledProblem(value: unknown, path: readonly (string | number)[], position: Position): ShapeProblem | undefined {
    const { same } = (value ?? {}) as Filled
    if (same === undefined) return undefined
    for (const [pointer, text] of Object.entries(same)) {
      const place = readPlace(text) as ValuePlace
      const reason = missingHole(value as object, pointer) ?? this.#placeProblem(place, pointer, position)
      if (reason !== undefined) return problem(reason, [...path, 'same', pointer])
    }
    const [number, part] = position
    if (part === 0) return undefined
    const bytes = (this.added.get(number) ?? 0) + this.#filledBytes(same)
    this.#checkBytes(bytes)
    this.added.set(number, bytes)
    return undefined
  }

  /** Of places that are known to be there. */
  #filledBytes(same: NonNullable<Filled['same']>): number {
    const values = Object.values(same).map((text) => this.#values.valueAt(readPlace(text) as ValuePlace) as Json)
    return values.reduce<number>((total, value) => total + this.#measure(value).bytes, 0)
  }

  #placeProblem(place: ValuePlace, pointer: string, position: Position): string | undefined {
    if (!isBefore(place, position)) return 'it must name a place that stands before it'
    const value = this.#values.valueAt(place)
    if (value === undefined) return 'there is no value at the place it names'
    const depth = (pointerPath(pointer)?.length ?? 0) + this.#measure(value).depth
    return depth > maxValueDepth ? `it is nested more than ${maxValueDepth} levels deep` : undefined
  }

  #measure(value: Json): Measure {
    if (typeof value === 'string') return { bytes: value.length + 2, depth: 0 }
    if (typeof value !== 'object' || value === null) return { bytes: String(value).length, depth: 0 }
    const known = this.#measures.get(value)
    if (known !== undefined) return known
    let bytes = 2
    let depth = 0
    for (const [name, item] of Object.entries(value)) {
      const inner = this.#measure(item as Json)
      bytes += inner.bytes + (Array.isArray(value) ? 1 : name.length + 4)
      depth = Math.max(depth, inner.depth)
    }
    const measure = { bytes, depth: depth + 1 }
    this.#measures.set(value, measure)
    return measure
  }
}

interface Single {
  readonly path: readonly (string | number)[]
  readonly event: SingleEvent
  /** How many events of the item stand before it. */
  readonly at: number
}

function singlesOf(item: PackedEvent): readonly Single[] {
  if (!isRun(item)) return [{ path: [], event: item, at: 0 }]
  return (item.between ?? []).flatMap((between, index) =>
    isRunBetween(between) ? [] : [{ path: ['between', index, 1], event: between[1], at: between[0] + index }],
  )
}

/** Of what stands in the file as it is; where a request is told by another, the edits must be done first. */
function missingHole(holder: object, pointer: string): string | undefined {
  const name = ['json', 'data', 'input', 'value'].find((member) => member in holder)
  if (name === undefined) return undefined
  const whole = (holder as { readonly [name: string]: Json })[name] as Json
  return valueAt(whole, pointerPath(pointer) ?? []) === hole ? undefined : `there is no ${hole} at this place`
}

function isBefore({ number, part, event = 0 }: ValuePlace, position: Position): boolean {
  const at: Position = [number, part === 'request' || part === 'input' ? 0 : 1, event]
  const index = at.findIndex((step, level) => step !== position[level])
  return index >= 0 && (at[index] as number) < (position[index] as number)
}
