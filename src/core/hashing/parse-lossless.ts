/** F13's parse: JSON that loses nothing, or the reason why a text is no such JSON. */
import type { Json } from '../cassette/document.ts'
import { type JsonStep, JsonWalk } from '../cassette/json-walk.ts'
import { type ExactNumber, readNumber } from './exact-number.ts'
import { holdsLoneSurrogate, serialisedHoldsLoneSurrogate } from './lone-surrogate.ts'
import type { LosslessJson } from './serialise-lossless.ts'

export type LosslessParse =
  /** `exact` true: the value holds at least one ExactNumber. */
  | { readonly kind: 'json'; readonly exact: false; readonly value: Json }
  | { readonly kind: 'json'; readonly exact: true; readonly value: LosslessJson }
  | { readonly kind: 'text'; readonly reason: TextReason }

export type TextReason = 'not json' | 'duplicate name' | 'lone surrogate'

/** Parses without loss. Depth does not matter. */
export function parseLossless(text: string): LosslessParse {
  const parsed = parseOrUndefined(text)
  if (parsed === undefined) return { kind: 'text', reason: 'not json' }
  if (isOwnText({ value: parsed.value, text })) {
    return serialisedHoldsLoneSurrogate(text)
      ? { kind: 'text', reason: 'lone surrogate' }
      : { kind: 'json', exact: false, value: parsed.value }
  }
  return buildFromSteps({ text, parsed: parsed.value })
}

/** Boxed, since `null` is a value. */
function parseOrUndefined(text: string): { readonly value: Json } | undefined {
  try {
    return { value: JSON.parse(text) as Json }
  } catch {
    return undefined // what is not JSON is text, whatever the reason
  }
}

/** True proves that the parse lost nothing: no duplicate name, no rounded number. */
function isOwnText({ value, text }: { readonly value: Json; readonly text: string }): boolean {
  try {
    return JSON.stringify(value) === text
  } catch {
    return false // nested too deep for JSON.stringify; the steps below have no such limit
  }
}

/** Of a text that is known to be JSON. */
function buildFromSteps({ text, parsed }: { readonly text: string; readonly parsed: Json }): LosslessParse {
  const builder = new LosslessBuilder()
  const walk = new JsonWalk(text)
  for (let step = walk.next(); step !== 'end' && step !== 'fault'; step = walk.next()) {
    const reason = builder.step(step, walk)
    if (reason !== undefined) return { kind: 'text', reason }
  }
  return builder.exact
    ? { kind: 'json', exact: true, value: builder.value }
    : { kind: 'json', exact: false, value: parsed }
}

interface OpenContainer {
  /** Undefined for an array. */
  readonly members: Map<string, LosslessJson> | undefined
  readonly elements: LosslessJson[]
  /** The name read, until its value comes. */
  name: string | undefined
}

class LosslessBuilder {
  /** An exact number was read. */
  exact = false
  readonly #root: OpenContainer = { members: undefined, elements: [], name: undefined }
  readonly #open: OpenContainer[] = [this.#root]

  get value(): LosslessJson {
    return this.#root.elements[0] ?? null
  }

  /** Takes the next step; gives the reason why the text cannot be JSON without loss, if it is one. */
  step(step: JsonStep, walk: JsonWalk): TextReason | undefined {
    switch (step) {
      case 'object':
        this.#open.push({ members: new Map(), elements: [], name: undefined })
        return undefined
      case 'array':
        this.#open.push({ members: undefined, elements: [], name: undefined })
        return undefined
      case 'close':
        this.#close()
        return undefined
      case 'name':
      case 'string':
        return this.#string(JSON.parse(walk.source) as string)
      case 'number':
        this.#number(readNumber(walk.source))
        return undefined
      case 'literal':
        this.#add(JSON.parse(walk.source) as boolean | null)
        return undefined
      case 'end':
      case 'fault':
        return undefined
    }
  }

  get #top(): OpenContainer {
    return this.#open.at(-1) ?? this.#root
  }

  #close(): void {
    const closed = this.#top
    this.#open.pop()
    // Own members only, `__proto__` included: an assignment would reach its setter.
    this.#add(closed.members === undefined ? closed.elements : Object.fromEntries(closed.members))
  }

  #string(string: string): TextReason | undefined {
    if (holdsLoneSurrogate(string)) return 'lone surrogate'
    const { members, name } = this.#top
    if (members === undefined || name !== undefined) this.#add(string)
    else if (members.has(string)) return 'duplicate name'
    else this.#top.name = string
    return undefined
  }

  #number(value: number | ExactNumber): void {
    if (typeof value !== 'number') this.exact = true
    this.#add(value)
  }

  #add(value: LosslessJson): void {
    const top = this.#top
    if (top.members === undefined) {
      top.elements.push(value)
    } else {
      top.members.set(top.name ?? '', value)
      top.name = undefined
    }
  }
}
