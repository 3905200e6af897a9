import { formatPlaceholder, placeholdersIn } from './placeholder.ts'

/** Hands out placeholders: the same secret the same one, another secret another one. In memory only, one a tape. */
export interface PlaceholderLedger {
  /** The kind counts only when the secret is new: a secret keeps the placeholder that it got first. */
  placeholderFor(kind: string, secret: string): string
  /** Takes the numbers that stand in a served recording, so that a new secret gets the number it had while recording. */
  reserve(text: string): void
}

export function createPlaceholderLedger(): PlaceholderLedger {
  const bySecret = new Map<string, string>()
  const numbersByKind = new Map<string, KindNumbers>()
  const numbersOf = (kind: string): KindNumbers => {
    const numbers = numbersByKind.get(kind) ?? { taken: new Set(), lowestFree: 1 }
    numbersByKind.set(kind, numbers)
    return numbers
  }
  return {
    placeholderFor(kind, secret) {
      const known = bySecret.get(secret)
      if (known !== undefined) return known
      const placeholder = formatPlaceholder(kind, takeLowest(numbersOf(kind)))
      bySecret.set(secret, placeholder)
      return placeholder
    },
    reserve(text) {
      for (const { kind, number } of placeholdersIn(text)) numbersOf(kind).taken.add(number)
    },
  }
}

interface KindNumbers {
  readonly taken: Set<number>
  /** Every number below is taken; none is ever given back. */
  lowestFree: number
}

/** The lowest free number, not the highest plus one: what overlapped in the recording may come in another order now. */
function takeLowest(numbers: KindNumbers): number {
  while (numbers.taken.has(numbers.lowestFree)) numbers.lowestFree += 1
  numbers.taken.add(numbers.lowestFree)
  return numbers.lowestFree
}
