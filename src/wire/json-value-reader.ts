/**
 * JSON values out of text that comes in pieces: one value, one a line, or the elements of one array (Gemini without
 * `alt=sse`). It finds where values end; whether they are JSON is the reader's question.
 */
import type { StreamItem } from './stream-item.ts'

/** `inside`: belongs to the value. `last`: belongs to it and ends it. `between`: belongs to no value. */
type Role = 'inside' | 'last' | 'between'

const inString = /["\\]/g
const outsideString = /["{}[\],\n]/g

export class JsonValueReader {
  /** What came of the value that has not ended yet. */
  #value = ''
  /** Open brackets of that value; an array that holds the values does not count. */
  #depth = 0
  #inList = false
  #inString = false
  #afterBackslash = false

  push(text: string): StreamItem[] {
    const items: StreamItem[] = []
    let start = 0
    for (let at = this.#find(text, 0); at >= 0; at = this.#find(text, at + 1)) {
      const role = this.#read(text[at] as string)
      if (role === 'inside') continue
      items.push(...this.#take(text.slice(start, role === 'last' ? at + 1 : at)))
      start = at + 1
    }
    this.#value += text.slice(start)
    return items
  }

  /** What is left when the stream ends: a value that was cut, or a number or word that nothing else ends. */
  end(): StreamItem[] {
    return this.#take('')
  }

  /** Where the next character that matters stands; negative for none. */
  #find(text: string, from: number): number {
    let start = from
    if (this.#afterBackslash && start < text.length) {
      this.#afterBackslash = false
      start += 1
    }
    const pattern = this.#inString ? inString : outsideString
    pattern.lastIndex = start
    return pattern.exec(text)?.index ?? -1
  }

  #read(character: string): Role {
    if (this.#inString) {
      this.#afterBackslash = character === '\\'
      this.#inString = this.#afterBackslash
      return 'inside'
    }
    switch (character) {
      case '"':
        this.#inString = true
        return 'inside'
      case '{':
        this.#depth += 1
        return 'inside'
      case '[':
        return this.#openBracket()
      case '}':
      case ']':
        return this.#closeBracket()
      default:
        return this.#depth === 0 ? 'between' : 'inside'
    }
  }

  #openBracket(): Role {
    if (this.#depth > 0 || this.#inList) {
      this.#depth += 1
      return 'inside'
    }
    this.#inList = true
    return 'between'
  }

  #closeBracket(): Role {
    if (this.#depth === 0) {
      this.#inList = false
      return 'between'
    }
    this.#depth -= 1
    return this.#depth === 0 ? 'last' : 'inside'
  }

  #take(rest: string): StreamItem[] {
    const text = (this.#value + rest).trim()
    this.#value = ''
    return text === '' ? [] : [{ text }]
  }
}
