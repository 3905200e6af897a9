/**
 * Finds the event with which a provider says that its stream is complete: after it a client may stop reading, and the
 * connection may still be open. `[DONE]` (OpenAI chat), `message_stop` (Anthropic), `response.completed`, `.failed` and
 * `.incomplete` (OpenAI Responses).
 *
 * The rule of an ended stream: a body whose terminal event has come is complete, however its caller left it. One that says
 * otherwise (imported, or written by hand) is closed after its last chunk in replay all the same.
 */

const terminalLine =
  /^(?:data: ?\[DONE\]|event: ?(?:message_stop|response\.(?:completed|failed|incomplete))|data: ?\{"type": ?"(?:message_stop|response\.(?:completed|failed|incomplete))")/

/** No terminal line needs more to be known; what follows in the line may be megabytes. */
const knownPrefixLength = 64
const lineFeed = 10

/** Reads a stream chunk by chunk, cut anywhere. */
export class TerminalEventScanner {
  #line = ''
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
      const missing = knownPrefixLength - this.#line.length
      if (missing > 0 && end > start)
        this.#line += String.fromCharCode(...bytes.subarray(start, Math.min(end, start + missing)))
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
    } else if (terminalLine.test(line)) {
      this.#lineSeen = true
    }
  }
}

/** True when a terminal event is among the chunks. */
export function hasTerminalEvent(chunks: readonly { readonly bytes: Uint8Array }[]): boolean {
  const scanner = new TerminalEventScanner()
  for (const chunk of chunks) scanner.read(chunk.bytes)
  return scanner.found
}
