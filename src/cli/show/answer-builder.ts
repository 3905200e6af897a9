import type { AnswerOutline, Usage } from './outline.ts'

/** Puts the pieces of an answer together, whole or as they came in a stream. */
export class AnswerBuilder {
  #thinking = ''
  #text = ''
  #usage: Usage = {}
  readonly #calls = new Map<string, { name: string; input: string }>()

  think(text: string): void {
    this.#thinking += text
  }

  say(text: string): void {
    this.#text += text
  }

  /** `key` tells calls of one answer apart; name and input may come in parts. */
  call(key: string, { name, input }: { readonly name: string; readonly input: string }): void {
    const call = this.#calls.get(key) ?? { name: '', input: '' }
    call.name += name
    call.input += input
    this.#calls.set(key, call)
  }

  /** How many calls there are so far. */
  get calls(): number {
    return this.#calls.size
  }

  /** Later counts win; what is no number counts for nothing. */
  use(input: unknown, output: unknown): void {
    if (typeof input === 'number') this.#usage = { ...this.#usage, input }
    if (typeof output === 'number') this.#usage = { ...this.#usage, output }
  }

  /** Undefined where nothing of an answer was found. */
  get answer(): AnswerOutline | undefined {
    const usage = Object.keys(this.#usage).length === 0 ? undefined : this.#usage
    if (this.#text === '' && this.#thinking === '' && this.#calls.size === 0 && usage === undefined) return undefined
    return { thinking: this.#thinking, text: this.#text, calls: [...this.#calls.values()], usage }
  }
}
