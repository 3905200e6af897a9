/**
 * From what stands on disk to the resolved cassette (F9, F11): request bodies, events, cuts and gaps are made when they are
 * first read, so that what is not served is not unfolded. Everything here was checked by shape and rules; what only unfolding
 * can show (an edit of a place that is not there) is an error when it is read.
 */
import { bodyBytes } from './decode-body.ts'
import type { Cassette, HttpInteraction, HttpRequest, Interaction, ResponseBody, ValueResult } from './document.ts'
import { keepPacked } from './event-texts.ts'
import { withLazy } from './lazy-member.ts'
import { unpackNumbers } from './number-list.ts'
import { eventCount, isAlternating, isRun, unpackEvents } from './pack-events.ts'
import type {
  LikeRequest,
  NumberList,
  PackedBody,
  PackedCassette,
  PackedEvent,
  PackedHttpInteraction,
  PackedInteraction,
  PackedValueInteraction,
  SingleBetween,
  SingleEvent,
} from './packed-document.ts'
import { filledOf, type PackedValues } from './packed-values.ts'

/** @throws TURNTAPE_CASSETTE_INVALID later, out of a member that cannot be made. */
export function unpackCassette(packed: PackedCassette, values: PackedValues): Cassette {
  const unpacker = new Unpacker(values)
  return { ...packed, interactions: packed.interactions.map((interaction) => unpacker.interaction(interaction)) }
}

class Unpacker {
  readonly #values: PackedValues
  /** Method, URL and headers by number: long chains are followed once. */
  readonly #heads = new Map<number, Omit<HttpRequest, 'body'>>()

  constructor(values: PackedValues) {
    this.#values = values
  }

  interaction(packed: PackedInteraction): Interaction {
    return 'result' in packed ? this.#valueInteraction(packed) : this.#httpInteraction(packed)
  }

  #valueInteraction(packed: PackedValueInteraction): Interaction {
    const { number, request, result } = packed
    const { same, ...call } = request
    return {
      ...packed,
      request:
        same === undefined
          ? call
          : withLazy({ ...call }, 'input', () => this.#values.filled(request.input, { same }, `input ${number}`)),
      result: this.#result(result, number),
    }
  }

  #result(result: PackedValueInteraction['result'], number: number): ValueResult {
    if ('elements' in result) {
      const { gapsMs, ...rest } = result
      return gapsMs === undefined ? rest : withLazy({ ...rest }, 'gapsMs', () => unpackNumbers(gapsMs))
    }
    if (!('value' in result) || !('same' in result)) return result
    const { same: _same, ...plain } = result
    return withLazy({ ...plain }, 'value', () =>
      this.#values.filled(result.value, filledOf(result), `result ${number}`),
    )
  }

  #httpInteraction(packed: PackedHttpInteraction): HttpInteraction {
    const { number, response } = packed
    const request = this.#request(packed.request, number)
    if (response?.body === undefined) return { ...packed, request } as HttpInteraction
    const { body } = response
    return { ...packed, request, response: withLazy({ ...response }, 'body', () => this.#body(body, number)) }
  }

  #request(request: PackedHttpInteraction['request'], number: number): HttpRequest {
    if (!('like' in request)) {
      const { body, ...head } = request
      if (body === undefined || !('json' in body) || !('same' in body)) return request as HttpRequest
      return { ...head, body: withLazy({}, 'json', () => this.#values.json(number)) }
    }
    const { method, url, headers } = this.#head(request, number)
    const body = this.#values.hasJson(number)
      ? withLazy({}, 'json', () => this.#values.json(number))
      : this.#wholeBefore(request)
    return { method, url, ...(headers !== undefined && { headers }), ...(body !== undefined && { body }) }
  }

  #head(request: PackedHttpInteraction['request'], number: number): Omit<HttpRequest, 'body'> {
    const known = this.#heads.get(number)
    if (known !== undefined) return known
    const isOwn = !('like' in request) || request.method !== undefined
    const head = isOwn ? request : this.#head(this.#values.requestOf(request.like), request.like)
    this.#heads.set(number, head as Omit<HttpRequest, 'body'>)
    return head as Omit<HttpRequest, 'body'>
  }

  #wholeBefore(request: LikeRequest): HttpRequest['body'] {
    let found: PackedHttpInteraction['request'] = request
    while ('like' in found) found = this.#values.requestOf(found.like)
    return found.body as HttpRequest['body']
  }

  #body(packed: PackedBody, number: number): ResponseBody {
    const { cuts, gapsMs, end, ...content } = packed
    const body = this.#content(content as PackedBody, number)
    if (cuts !== undefined) withLazy(body, 'cuts', () => this.#cuts(cuts, body as ResponseBody, number))
    if (gapsMs !== undefined) withLazy(body, 'gapsMs', () => unpackNumbers(gapsMs))
    return (end === undefined ? body : Object.assign(body, { end })) as ResponseBody
  }

  #content(content: PackedBody, number: number): object {
    if ('events' in content) {
      const { events, ...stream } = content
      const body = withLazy({ ...stream }, 'events', () =>
        unpackEvents(this.#filledEvents(events, number), content.layout),
      )
      keepPacked(body, content)
      return body
    }
    if (!('json' in content) || !('same' in content)) return content
    const { same: _same, json: _json, ...rest } = content
    return withLazy({ ...rest }, 'json', () =>
      this.#values.filled(content.json, filledOf(content), `response ${number}`),
    )
  }

  #filledEvents(events: readonly PackedEvent[], number: number): readonly PackedEvent[] {
    let next = 1
    const filled = (event: SingleEvent, index: number): SingleEvent => {
      if (event.same === undefined || !('data' in event)) return event
      const { same: _same, ...rest } = event
      return { ...rest, data: this.#values.filled(event.data, event, `response ${number} event ${index}`) }
    }
    return events.map((item) => {
      const first = next
      if (!isRun(item)) {
        next += 1
        return filled(item, first)
      }
      next += eventCount(item)
      if (item.between === undefined || isAlternating(item)) return item
      const between = item.between as readonly SingleBetween[]
      return {
        ...item,
        between: between.map(([after, event], at) => [after, filled(event, first + after + at)] as const),
      }
    })
  }

  #cuts(cuts: NonNullable<PackedBody['cuts']>, body: ResponseBody, number: number): ResponseBody['cuts'] {
    if ('events' in cuts) return { events: unpackNumbers(cuts.events) }
    const bytes = unpackNumbers(cuts.bytes as NumberList)
    const [sum, total] = [bytes.reduce((all, length) => all + length, 0), bodyBytes(body)]
    if (sum === total) return { bytes }
    const pointer = `/interactions/${number - 1}/response/body/cuts/bytes`
    throw this.#values.invalid(pointer, `it adds up to ${sum}, the body has ${total} bytes`)
  }
}
