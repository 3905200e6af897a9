/**
 * Finds the event with which a provider says that its stream is complete: after it a client may stop reading, and the
 * connection may still be open. `[DONE]` (OpenAI chat, Cohere), `message_stop` (Anthropic), `response.completed`, `.failed`
 * and `.incomplete` (OpenAI Responses), the JSON line with `"done": true` (Ollama).
 *
 * The rule of an ended stream: a body whose terminal event has come is complete, however its caller left it. One that says
 * otherwise (imported, or written by hand) is closed after its last chunk in replay all the same.
 */

import { parseJson } from '../cassette/json-text.ts'

const terminalLine =
  /^(?:data: ?\[DONE\]|event: ?(?:message_stop|response\.(?:completed|failed|incomplete))|data: ?\{"type": ?"(?:message_stop|response\.(?:completed|failed|incomplete))")/

/** No terminal line of events needs more to be known; what follows in the line may be megabytes. */
const knownPrefixLength = 64
/** A JSON line is read whole: its end may hold the tokens of a context. A longer one is taken for no last line. */
const maxJsonLineLength = 1 << 20
const lineFeed = 10
const openBrace = 123

/** Every byte a character: names and `true` are ASCII. */
const latin1 = new TextDecoder('latin1')

/** Reads a stream chunk by chunk, cut anywhere. */
export class TerminalEventScanner {
  #line = ''
  #isJson = false
  #lineSeen = false
  #found = false

  /** True once a terminal event and the blank line that ends it have gone by. */
  get found(): boolean {
    return this.#found
  }

  read(bytes: Uint8Array): void {
    let start = 0
    while (start < bytes.byteLength && !this.#found) {
      const feed = bytes.indexOf(lineFeed, start)
      const end = feed === -1 ? bytes.byteLength : feed
      if (this.#line === '') this.#isJson = bytes[start] === openBrace
      const missing = (this.#isJson ? maxJsonLineLength : knownPrefixLength) - this.#line.length
      if (missing > 0 && end > start) this.#line += latin1.decode(bytes.subarray(start, Math.min(end, start + missing)))
      if (feed === -1) return
      this.#endLine()
      start = feed + 1
    }
  }

  #endLine(): void {
    const line = this.#line.replace(/\r$/, '')
    this.#line = ''
    if (line === '') {
      this.#found = this.#lineSeen
    } else if (this.#isJson) {
      this.#found = isLastJsonLine(line)
    } else if (terminalLine.test(line)) {
      this.#lineSeen = true
    }
  }
}

/** The word alone may be an argument of a tool, or a quotation. */
function isLastJsonLine(line: string): boolean {
  if (!/"done": ?true/.test(line)) return false
  const value = parseJson(line)
  return typeof value === 'object' && value !== null && 'model' in value && 'done' in value && value.done === true
}

/** True when a terminal event is among the chunks. */
export function hasTerminalEvent(chunks: readonly { readonly bytes: Uint8Array }[]): boolean {
  const scanner = new TerminalEventScanner()
  for (const chunk of chunks) scanner.read(chunk.bytes)
  return scanner.found
}
