/** One answer while it comes in: bytes or events pushed, the answer so far read at any time. */
import { parseJson } from '../core/cassette/json-text.ts'
import { type AnswerState, emptyAnswer } from './answer-state.ts'
import type { DecodedAnswer, Wire } from './block.ts'
import { chooseWire, type Exchange, wireOfPath } from './choose-wire.ts'
import { decoders } from './decoders.ts'
import { EventStream } from './event-stream.ts'
import type { StreamItem } from './stream-item.ts'
import type { WireEvent } from './wire-decoder.ts'

export class AnswerDecoder {
  readonly #exchange: Exchange
  readonly #stream = new EventStream()
  #wire: Wire | undefined
  /** Events before the wire was known. */
  #waiting: WireEvent[] = []
  #state: AnswerState = emptyAnswer
  #torn: string | undefined

  constructor(exchange: Exchange) {
    this.#exchange = exchange
  }

  push(bytes: Uint8Array): void {
    for (const item of this.#stream.push(bytes)) this.pushItem(item)
  }

  pushText(text: string): void {
    for (const item of this.#stream.pushText(text)) this.pushItem(item)
  }

  /** The end of the bytes. An event that they end in the middle of is `torn`, no block. */
  end(): void {
    const items = this.#stream.end()
    for (const [index, item] of items.entries()) {
      const isTorn = index === items.length - 1 && item.text !== '[DONE]' && parseJson(item.text) === undefined
      if (isTorn) this.#torn = item.text
      else this.pushItem(item)
    }
  }

  pushItem({ name, text }: StreamItem): void {
    this.pushEvent({ ...(name !== undefined && { name }), data: parseJson(text) ?? text })
  }

  pushEvent(event: WireEvent): void {
    this.#wire ??= chooseWire(this.#exchange, event.data)
    this.#waiting.push(event)
    if (this.#wire === undefined) return
    for (const waiting of this.#waiting) this.#state = decoders[this.#wire].reduce(this.#state, waiting)
    this.#waiting = []
  }

  /** The answer so far; undefined where it speaks no wire that we know. */
  answer(): DecodedAnswer | undefined {
    const wire = this.#wire ?? (this.#waiting.length === 0 ? wireOfPath(this.#exchange.url) : undefined)
    if (wire === undefined) return undefined
    const answer = decoders[wire].read(this.#state)
    return this.#torn === undefined ? answer : { ...answer, torn: this.#torn }
  }
}
