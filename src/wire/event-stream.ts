/**
 * Bytes that come in pieces, as events. It knows framing (server-sent events, JSON lines, a JSON array, one JSON
 * value) and UTF-8, and nothing of what a provider says in an event. Any cut of the same bytes gives the same events.
 */
import { JsonValueReader } from './json-value-reader.ts'
import { SseReader } from './sse-reader.ts'
import type { StreamItem } from './stream-item.ts'

export class EventStream {
  readonly #decoder = new TextDecoder()
  #reader: SseReader | JsonValueReader | undefined
  /** White space before the first character that tells the framing. */
  #start = ''

  push(bytes: Uint8Array): readonly StreamItem[] {
    return this.pushText(this.#decoder.decode(bytes, { stream: true }))
  }

  pushText(text: string): readonly StreamItem[] {
    if (this.#reader !== undefined) return this.#reader.push(text)
    this.#start += text
    const first = /\S/.exec(this.#start)?.[0]
    if (first === undefined) return []
    this.#reader = first === '{' || first === '[' ? new JsonValueReader() : new SseReader()
    return this.#reader.push(this.#start)
  }

  /** The events that only the end of the stream ends. The last one may be cut. */
  end(): readonly StreamItem[] {
    const rest = this.pushText(this.#decoder.decode())
    return [...rest, ...(this.#reader?.end() ?? [])]
  }
}
