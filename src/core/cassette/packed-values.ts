/**
 * The values of a packed cassette, whole (F11): request bodies with their edits done, holes filled from the places named, each
 * made once and when it is first asked for. Knows nothing of runs: an event that stands in one is no place.
 */
import { ReplayError } from '../../errors/replay-error.ts'
import { Draft } from './apply-edits.ts'
import type { Json } from './document.ts'
import { pointerPath, valueAt } from './json-pointer.ts'
import { eventCount, isAlternating, isRun } from './pack-events.ts'
import {
  type EventRun,
  type Filled,
  hole,
  type PackedCassette,
  type PackedEvent,
  type PackedHttpInteraction,
  type SingleBetween,
  type SingleEvent,
} from './packed-document.ts'
import { readPlace, type ValuePlace } from './value-place.ts'

/** What edits may copy in all (F20). Far beyond the longest conversation: only what an edit touches is copied. */
const maxUnfoldedBytes = 268_435_456

export class PackedValues {
  readonly #packed: PackedCassette
  /** The cassette's path, for messages. */
  readonly #cassette: string
  readonly #bodies = new Map<number, Json>()
  readonly #values = new Map<string, Json>()
  #spentBytes = 0
  readonly #hasJson = new Map<number, boolean>()

  constructor(packed: PackedCassette, cassette: string) {
    this.#packed = packed
    this.#cassette = cassette
  }

  /** The value at a place; undefined where there is none, or only one that stands in a run. */
  valueAt(place: ValuePlace): Json | undefined {
    const whole = this.#valueOf(place)
    return whole === undefined ? undefined : valueAt(whole, place.path)
  }

  #valueOf({ part, number, event }: ValuePlace): Json | undefined {
    const interaction = this.#packed.interactions[number - 1]
    if (interaction === undefined) return undefined
    if ('result' in interaction) {
      if (part === 'input') return this.filled(interaction.request.input, interaction.request, `input ${number}`)
      const { result } = interaction
      return part === 'result' && 'value' in result
        ? this.filled(result.value, filledOf(result), `result ${number}`)
        : undefined
    }
    if (part === 'request') return this.hasJson(number) ? this.json(number) : undefined
    const body = interaction.response?.body
    if (part !== 'response' || body === undefined) return undefined
    if ('events' in body) return event === undefined ? undefined : this.#eventData(body.events, number, event)
    return 'json' in body && event === undefined
      ? this.filled(body.json, filledOf(body), `response ${number}`)
      : undefined
  }

  #eventData(events: readonly PackedEvent[], number: number, event: number): Json | undefined {
    const single = singleAt(events, event)
    return single !== undefined && 'data' in single
      ? this.filled(single.data, single, `response ${number} event ${event}`)
      : undefined
  }

  /** True where the request of this interaction has a JSON body. Asked in the order of the file, it follows no chain twice. */
  hasJson(number: number): boolean {
    const known = this.#hasJson.get(number)
    if (known !== undefined) return known
    const request = this.requestOf(number)
    const found = 'like' in request ? this.hasJson(request.like) : request.body !== undefined && 'json' in request.body
    this.#hasJson.set(number, found)
    return found
  }

  /** The JSON body of a request: the nearest one that is known already, and all edits since. Iterative: chains are long. */
  json(number: number): Json {
    const chain: number[] = []
    let at = number
    for (; !this.#bodies.has(at); ) {
      chain.push(at)
      const request = this.requestOf(at)
      if (!('like' in request)) break
      at = request.like
    }
    for (const next of chain.reverse()) this.#bodies.set(next, this.#buildJson(next))
    return this.#bodies.get(number) as Json
  }

  #buildJson(number: number): Json {
    const request = this.requestOf(number)
    if (!('like' in request)) {
      const body = request.body as { readonly json: Json } & Filled
      return this.#fill(new Draft(body.json, this.#spend), body, `request ${number}`)
    }
    const draft = new Draft(this.#bodies.get(request.like) as Json, this.#spend)
    for (const [index, edit] of (request.edits ?? []).entries()) {
      if (draft.apply(edit)) continue
      throw this.invalid(
        `/interactions/${number - 1}/request/edits/${index}`,
        `there is nothing at ${edit.at} to change so`,
      )
    }
    return this.#fill(draft, request, `request ${number}`)
  }

  /** `key` names the value: each is filled but once. */
  filled(value: Json, { same }: Filled, key: string): Json {
    if (same === undefined) return value
    const known = this.#values.get(key)
    if (known !== undefined) return known
    const whole = this.#fill(new Draft(value, this.#spend), { same }, key)
    this.#values.set(key, whole)
    return whole
  }

  #fill(draft: Draft, { same }: Filled, key: string): Json {
    if (same === undefined) return draft.value
    for (const [pointer, text] of Object.entries(same)) {
      const place = readPlace(text)
      const value = place === undefined ? undefined : this.valueAt(place)
      if (value === undefined || !draft.fill(pointerPath(pointer) ?? [], value)) {
        throw this.invalid(undefined, `${key} has no ${hole} at ${pointer || 'its root'}, where ${text} belongs`)
      }
    }
    return draft.value
  }

  /** What edits do not touch is shared; what they touch is copied, for each request anew. */
  readonly #spend = (bytes: number): void => {
    this.#spentBytes += bytes
    if (this.#spentBytes > maxUnfoldedBytes) {
      throw this.invalid(undefined, `its values take more than ${maxUnfoldedBytes} bytes when they are unfolded`)
    }
  }

  requestOf(number: number): PackedHttpInteraction['request'] {
    return (this.#packed.interactions[number - 1] as PackedHttpInteraction).request
  }

  invalid(pointer: string | undefined, reason: string): ReplayError {
    const place = pointer === undefined ? {} : { pointer }
    return new ReplayError('TURNTAPE_CASSETTE_INVALID', { cassette: this.#cassette, ...place, reason })
  }
}

/** What fills the holes of a value that may have some. */
export function filledOf(value: object): Filled {
  return 'same' in value ? (value as Filled) : {}
}

/** The event with this 1-based number, if it stands in the file by itself. */
function singleAt(events: readonly PackedEvent[], number: number): SingleEvent | undefined {
  let first = 1
  for (const item of events) {
    const count = eventCount(item)
    if (number < first + count) return isRun(item) ? singleInRun(item, number - first) : item
    first += count
  }
  return undefined
}

function singleInRun(run: EventRun, index: number): SingleEvent | undefined {
  if (run.between === undefined || isAlternating(run)) return undefined
  return (run.between as readonly SingleBetween[]).find(([after], at) => after + at === index)?.[1]
}
