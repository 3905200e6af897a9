/** Members of the format laid out a line each, in its order (F1, F2). */
import type { Json } from './document.ts'
import { layJson, layObject } from './json-lines.ts'

/** Text that is laid out already; any other member is a value that is still to be. */
export class Laid {
  readonly text: string
  constructor(text: string) {
    this.text = text
  }
}

export type Member = readonly [name: string, value: Json | Laid | undefined]

export function laid(text: string): Laid {
  return new Laid(text)
}

/** An object with a member a line, in this order; members that are undefined are left out. */
export function block(margin: string, members: readonly Member[]): string {
  const inner = `${margin}  `
  const texts = members.flatMap(([name, value]) => {
    if (value === undefined) return []
    const text = value instanceof Laid ? value.text : layJson(value, { margin: inner, taken: name.length + 4 })
    return [[name, text] as const]
  })
  return layObject(texts, margin)
}

/** These members in this order, absent ones left out. */
export function pick(value: object, names: readonly string[]): Readonly<Record<string, Json>> {
  const members = value as Readonly<Record<string, Json | undefined>>
  const entries = names.flatMap((name) => (members[name] === undefined ? [] : [[name, members[name] as Json] as const]))
  return Object.fromEntries(entries)
}
