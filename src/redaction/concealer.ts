import { findShapes } from './find-shapes.ts'
import { replaceIn } from './replacement.ts'
import type { ScanFacts } from './scan-facts.ts'

/**
 * Takes out of what is printed what a cassette may not hold either: values of secret-looking environment variables become
 * `<value of NAME>`, shapes of keys `<redacted>`. For messages alone; nothing that is stored or hashed depends on it (F15).
 */
export interface Concealer {
  text(text: string): string
  /** Values of variables alone, where shapes get placeholders of their own. */
  values(text: string): string
  /** Every string of plain data, member names included; the same object where nothing was found. */
  deep<T>(value: T): T
}

export function createConcealer({ secretValues }: Pick<ScanFacts, 'secretValues'>): Concealer {
  const values = secretValues.flatMap(({ name, value }) =>
    spellingsOf(value).map((spelling) => ({ spelling, words: `<value of ${name}>` })),
  )
  const concealValues = (text: string): string =>
    values.reduce((left, { spelling, words }) => left.replaceAll(spelling, words), text)
  const conceal = (text: string): string => {
    const plain = concealValues(text)
    return replaceIn(
      plain,
      findShapes(plain).map(({ start, end }) => ({ start, end, text: '<redacted>' })),
    )
  }
  return { text: conceal, values: concealValues, deep: (value) => mapStrings(value, conceal) as typeof value }
}

/** As it is, in JSON, in JSON in a string, in a URL. */
function spellingsOf(value: string): readonly string[] {
  const inJson = JSON.stringify(value).slice(1, -1)
  const twice = JSON.stringify(inJson).slice(1, -1)
  return [...new Set([value, twice, inJson, encodeURIComponent(Buffer.from(value).toString())])]
}

function mapStrings(value: unknown, map: (text: string) => string): unknown {
  if (typeof value === 'string') return map(value)
  if (Array.isArray(value)) {
    const mapped = value.map((item) => mapStrings(item, map))
    return mapped.some((item, index) => item !== value[index]) ? mapped : value
  }
  if (!isPlain(value)) return value
  const members = Object.entries(value)
  const mapped = members.map(([name, member]) => [map(name), mapStrings(member, map)] as const)
  const isSame = mapped.every(([name, member], index) => name === members[index]?.[0] && member === members[index]?.[1])
  return isSame ? value : Object.fromEntries(mapped)
}

function isPlain(value: unknown): value is Readonly<Record<string, unknown>> {
  if (typeof value !== 'object' || value === null) return false
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === null || Object.getPrototypeOf(prototype) === null
}
