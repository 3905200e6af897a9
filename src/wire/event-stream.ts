/**
 * Bytes that come in pieces, as events. It knows framing (server-sent events, JSON lines, a JSON array, one JSON
 * value, AWS frames) and UTF-8, and nothing of what a provider says in an event. Any cut of the same bytes gives the
 * same events.
 */
import { FrameReader } from './frame-reader.ts'
import { JsonValueReader } from './json-value-reader.ts'
import { SseReader } from './sse-reader.ts'
import type { StreamItem } from './stream-item.ts'

export class EventStream {
  readonly #decoder = new TextDecoder()
  #reader: SseReader | JsonValueReader | undefined
  #frames: FrameReader | undefined
  #hasBegun = false
  /** White space before the first character that tells the framing. */
  #start = ''

  push(bytes: Uint8Array): readonly StreamItem[] {
    // The length of a frame begins with a zero; no text does.
    if (!this.#hasBegun && bytes[0] === 0) this.#frames = new FrameReader()
    this.#hasBegun ||= bytes.length > 0
    if (this.#frames !== undefined) return this.#frames.push(bytes)
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
    if (this.#frames !== undefined) return this.#frames.end()
    const rest = this.pushText(this.#decoder.decode())
    return [...rest, ...(this.#reader?.end() ?? [])]
  }
}
