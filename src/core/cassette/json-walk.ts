/**
 * A JSON text, step by step, with the place of each: nothing is built and nothing is recursive, so that neither length nor depth
 * of a hostile text costs more than reading it. Takes exactly the texts that `JSON.parse` takes.
 */

/** `name`: of a member. `fault`: the text is no JSON from here on, see `reason`. */
export type JsonStep = 'object' | 'array' | 'close' | 'name' | 'string' | 'number' | 'literal' | 'end' | 'fault'

type Expected = 'value' | 'value or close' | 'name' | 'name or close' | 'colon' | 'comma or close' | 'end'

export class JsonWalk {
  readonly text: string
  /** Where the step begins and ends, in UTF-16 units; the quotes of a string are part of it. */
  start = 0
  end = 0
  /** What is wrong at `start` of a fault. */
  reason = ''
  #expected: Expected = 'value'
  /** For each open container, true for an object. */
  readonly #open: boolean[] = []

  constructor(text: string) {
    this.text = text
  }

  /** The text of the step. */
  get source(): string {
    return this.text.slice(this.start, this.end)
  }

  /** After `end` or `fault` there is no next one. */
  next(): JsonStep {
    const character = this.#skipTo()
    switch (this.#expected) {
      case 'end':
        return character === undefined ? 'end' : this.#unexpected()
      case 'colon':
        if (character !== ':') return this.#unexpected()
        return this.#pass('value')
      case 'comma or close':
        if (character !== ',') return this.#close(character)
        return this.#pass(this.#open.at(-1) === true ? 'name' : 'value')
      case 'name or close':
        return character === '}' ? this.#close(character) : this.#name(character)
      case 'name':
        return this.#name(character)
      case 'value or close':
        return character === ']' ? this.#close(character) : this.#value(character)
      case 'value':
        return this.#value(character)
    }
  }

  /** The character that the next step begins with; undefined at the end of the text. */
  #skipTo(): string | undefined {
    let at = this.end
    while (isBlank(this.text.charCodeAt(at))) at += 1
    this.start = at
    return this.text[at]
  }

  /** Over a comma or a colon, to what follows it. */
  #pass(expected: Expected): JsonStep {
    this.end = this.start + 1
    this.#expected = expected
    return this.next()
  }

  #take(step: JsonStep, end: number): JsonStep {
    this.end = end
    this.#expected = this.#open.length === 0 ? 'end' : 'comma or close'
    return step
  }

  #close(character: string | undefined): JsonStep {
    if (character !== (this.#open.at(-1) === true ? '}' : ']')) return this.#unexpected()
    this.#open.pop()
    return this.#take('close', this.start + 1)
  }

  #name(character: string | undefined): JsonStep {
    if (character !== '"') return this.#unexpected()
    const step = this.#string('name')
    this.#expected = 'colon'
    return step
  }

  #value(character: string | undefined): JsonStep {
    if (character === '"') return this.#string('string')
    if (character === '{' || character === '[') {
      this.#open.push(character === '{')
      this.end = this.start + 1
      this.#expected = character === '{' ? 'name or close' : 'value or close'
      return character === '{' ? 'object' : 'array'
    }
    const number = this.#match(numberToken)
    if (number > 0) return this.#take('number', number)
    const literal = this.#match(literalToken)
    return literal > 0 ? this.#take('literal', literal) : this.#unexpected()
  }

  #string(step: 'string' | 'name'): JsonStep {
    let at = this.start + 1
    for (; ; at += 1) {
      const code = this.text.charCodeAt(at)
      if (code === quote) return this.#take(step, at + 1)
      if (Number.isNaN(code)) return this.#fault(at, endReason)
      if (code < firstPrintable) return this.#fault(at, 'a string holds a raw control character')
      if (code !== backslash) continue
      const escaped = /^(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/.exec(this.text.slice(at + 1, at + 6))?.[0]
      if (escaped === undefined) return this.#fault(at, 'it is no JSON: there is no such escape')
      at += escaped.length
    }
  }

  /** Where the pattern, which is sticky, ends; 0 where it does not match. */
  #match(pattern: RegExp): number {
    pattern.lastIndex = this.start
    return pattern.test(this.text) ? pattern.lastIndex : 0
  }

  #unexpected(): JsonStep {
    return this.#fault(
      this.start,
      this.start >= this.text.length ? endReason : `it is no JSON: unexpected ${this.#found()}`,
    )
  }

  #found(): string {
    const character = String.fromCodePoint(this.text.codePointAt(this.start) as number)
    if (character === '"') return 'string'
    return this.#match(numberToken) > 0
      ? 'number'
      : (/^\w+/.exec(this.text.slice(this.start, this.start + 20))?.[0] ?? character)
  }

  #fault(at: number, reason: string): JsonStep {
    this.start = at
    this.reason = reason
    return 'fault'
  }
}

const endReason = 'it is no JSON: unexpected end of input'

const numberToken = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y
const literalToken = /true|false|null/y

const quote = 0x22
const backslash = 0x5c
const firstPrintable = 0x20

function isBlank(code: number): boolean {
  return code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09
}
