/**
 * From the resolved cassette to what stands on disk (F9, F11, F12): runs of events as columns, requests as what they add to
 * earlier ones, large values once. A pure function of the content, in the order of the file: what is written for an interaction
 * depends on earlier ones only, so that a changed turn changes no line before it.
 */
import type {
  Cassette,
  HttpInteraction,
  Interaction,
  Json,
  ResponseBody,
  StreamEvent,
  ValueInteraction,
  ValueResult,
} from './document.ts'
import { orderLayout } from './json-layout.ts'
import { packNumbers } from './number-list.ts'
import { eventCount, isAlternating, isRun, packEvents } from './pack-events.ts'
import { RequestPacker } from './pack-request.ts'
import type {
  Filled,
  PackedBody,
  PackedCassette,
  PackedCuts,
  PackedEvent,
  PackedHttpInteraction,
  PackedInteraction,
  PackedValueInteraction,
  SingleBetween,
  SingleEvent,
} from './packed-document.ts'
import { RecurringValues } from './recurring-values.ts'
import { ValueIndex } from './value-index.ts'
import { placeText } from './value-place.ts'

export function packCassette(cassette: Cassette): PackedCassette {
  const packer = new Packer()
  return { ...cassette, interactions: cassette.interactions.map((interaction) => packer.pack(interaction)) }
}

/** A body as it would stand in a cassette that holds nothing else. */
export function packBody(body: ResponseBody): PackedBody {
  return new Packer().packBody(body, 1)
}

class Packer {
  readonly #recurring: RecurringValues
  readonly #requests: RequestPacker

  constructor() {
    const index = new ValueIndex()
    this.#recurring = new RecurringValues(index)
    this.#requests = new RequestPacker(index, this.#recurring)
  }

  pack(interaction: Interaction): PackedInteraction {
    return 'result' in interaction ? this.#packValue(interaction) : this.#packHttp(interaction)
  }

  #packValue({ request, result, ...rest }: ValueInteraction): PackedValueInteraction {
    const { number } = rest
    const punch = (value: Json, part: 'input' | 'result') =>
      this.#recurring.punch(value, (pointer) => placeText({ part, number, pointer }))
    const { value: input, ...filled } = punch(request.input, 'input')
    return {
      ...rest,
      request: { name: request.name, input, ...filled },
      result: packResult(result, (value) => punch(value, 'result')),
    }
  }

  #packHttp({ request, response, ...rest }: HttpInteraction): PackedHttpInteraction {
    const packed = { ...rest, request: this.#requests.pack(request, rest.number) }
    if (response === undefined) return packed
    const { body, ...head } = response
    return {
      ...packed,
      response: { ...head, ...(body !== undefined && { body: this.packBody(body, rest.number) }) },
    }
  }

  packBody(body: ResponseBody, number: number): PackedBody {
    const { cuts, gapsMs, end, ...content } = body
    const chunks = {
      ...(cuts !== undefined && { cuts: packCuts(cuts) }),
      ...(gapsMs !== undefined && { gapsMs: packNumbers(gapsMs) }),
      ...(end !== undefined && { end }),
    }
    if ('events' in content) return { ...content, events: this.#packEvents(content, number), ...chunks }
    if (!('json' in content)) return { ...content, ...chunks }
    const placeOf = (pointer: string): string => placeText({ part: 'response', number, pointer })
    const { value: json, ...filled } = this.#recurring.punch(content.json, placeOf)
    return { json, ...filled, ...(content.layout !== undefined && { layout: content.layout }), ...chunks }
  }

  #packEvents(body: Extract<ResponseBody, { events: unknown }>, number: number): readonly PackedEvent[] {
    let before = 0
    const punch = (event: StreamEvent, index: number): SingleEvent =>
      this.#punchEvent(event, { number, event: index + 1 })
    return packEvents(body.events.map(orderEvent), body.layout).map((item) => {
      const start = before
      if (!isRun(item)) {
        before += 1
        return punch(item, start)
      }
      before += eventCount(item)
      if (item.between === undefined || isAlternating(item)) return item
      const between = (item.between as readonly SingleBetween[]).map(
        ([after, event], index) => [after, punch(event, start + after + index)] as const,
      )
      return { ...item, between }
    })
  }

  #punchEvent(event: StreamEvent, where: { readonly number: number; readonly event: number }): SingleEvent {
    if (!('data' in event)) return event
    const placeOf = (pointer: string): string => placeText({ part: 'response', ...where, pointer })
    const { value: data, ...filled } = this.#recurring.punch(event.data, placeOf)
    return { ...event, data, ...filled }
  }
}

function packResult(
  result: ValueResult,
  punch: (value: Json) => { readonly value: Json } & Filled,
): PackedValueInteraction['result'] {
  if ('value' in result) return { ...result, ...punch(result.value) }
  if (!('elements' in result)) return result
  const { gapsMs, ...rest } = result
  return { ...rest, ...(gapsMs !== undefined && { gapsMs: packNumbers(gapsMs) }) }
}

function packCuts(cuts: NonNullable<ResponseBody['cuts']>): PackedCuts {
  return 'events' in cuts ? { events: packNumbers(cuts.events) } : { bytes: packNumbers(cuts.bytes) }
}

/** Members in the order of the format: a run is one of events whose members have one order. */
function orderEvent(event: StreamEvent): StreamEvent {
  if ('raw' in event) return { raw: event.raw }
  const { event: name, id } = event
  const head = { ...(name !== undefined && { event: name }), ...(id !== undefined && { id }) }
  if ('text' in event) return { ...head, text: event.text }
  return { ...head, data: event.data, ...(event.layout !== undefined && { layout: orderLayout(event.layout) }) }
}
