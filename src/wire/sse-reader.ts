/** Server-sent events out of text that comes in pieces (WHATWG HTML, 9.2.6), a missing last blank line forgiven. */
import type { StreamItem } from './stream-item.ts'

export class SseReader {
  /** The line that has not ended yet. */
  #line = ''
  /** The last piece ended with a carriage return: a line feed at the start of the next one belongs to it. */
  #afterReturn = false
  #name: string | undefined
  #data: string[] = []

  push(text: string): StreamItem[] {
    const piece = this.#afterReturn && text.startsWith('\n') ? text.slice(1) : text
    if (text !== '') this.#afterReturn = text.endsWith('\r')
    const lines = piece.split(/\r\n|\n|\r/)
    lines[0] = this.#line + (lines[0] ?? '')
    this.#line = lines.pop() ?? ''
    return lines.flatMap((line) => this.#read(line))
  }

  /** What is left when the stream ends: an event without its blank line. */
  end(): StreamItem[] {
    const line = this.#line
    this.#line = ''
    return [...(line === '' ? [] : this.#read(line)), ...this.#dispatch()]
  }

  #read(line: string): StreamItem[] {
    if (line === '') return this.#dispatch()
    const colon = line.indexOf(':')
    const field = colon < 0 ? line : line.slice(0, colon)
    const value = colon < 0 ? '' : line.slice(colon + 1).replace(/^ /, '')
    if (field === 'data') this.#data.push(value)
    if (field === 'event') this.#name = value
    return []
  }

  #dispatch(): StreamItem[] {
    const name = this.#name
    const text = this.#data.join('\n')
    const hasData = this.#data.length > 0
    this.#name = undefined
    this.#data = []
    if (!hasData || text.trim() === '') return []
    return [name === undefined || name === '' ? { text } : { name, text }]
  }
}
