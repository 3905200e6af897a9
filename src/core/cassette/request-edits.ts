/** What a request body adds to or changes against an earlier one (F11), in edits that a reader can follow. */
import type { Json } from './document.ts'
import { escapeStep } from './json-pointer.ts'
import type { Edit } from './packed-document.ts'
import type { ValueIndex } from './value-index.ts'

/** The edits that make `target` out of `base`; applied in order, they are proved by whoever stores them. */
export function findEdits(base: Json, target: Json, index: ValueIndex): readonly Edit[] {
  return new EditFinder(index).between(base, target, '')
}

/** Arrays whose differing parts are longer than this, multiplied, are replaced there and not aligned. */
const mostAligned = 250_000

/** A text that keeps less than this is replaced as a whole. */
const leastKeptText = 64

type Members = { readonly [name: string]: Json }

class EditFinder {
  readonly #index: ValueIndex

  constructor(index: ValueIndex) {
    this.#index = index
  }

  between(base: Json, target: Json, at: string): readonly Edit[] {
    if (this.#same(base, target)) return []
    const edits = this.#inside(base, target, at)
    const whole: Edit = { at, set: target }
    return edits !== undefined && this.#size(edits) < this.#size([whole]) ? edits : [whole]
  }

  /** About the characters these edits take. */
  #size(edits: readonly Edit[]): number {
    let size = 0
    for (const edit of edits) {
      size += edit.at.length + 24
      const value =
        'set' in edit ? edit.set : 'append' in edit ? edit.append : 'insert' in edit ? edit.insert : undefined
      if (value !== undefined) size += this.#index.sizeOf(value)
    }
    return size
  }

  #same(one: Json, other: Json): boolean {
    return this.#index.idOf(one) === this.#index.idOf(other)
  }

  /** Undefined where the two have nothing to keep. */
  #inside(base: Json, target: Json, at: string): readonly Edit[] | undefined {
    if (typeof base === 'string' && typeof target === 'string') return textEdits(base, target, at)
    if (Array.isArray(base) && Array.isArray(target)) return this.#inArray(base, target, at)
    return isMembers(base) && isMembers(target) ? this.#inObject(base, target, at) : undefined
  }

  #inObject(base: Members, target: Members, at: string): readonly Edit[] | undefined {
    const kept = Object.keys(base).filter((name) => Object.hasOwn(target, name))
    const names = Object.keys(target)
    // Members keep their order, and new ones come last: anything else is another object.
    if (names.slice(0, kept.length).join('\n') !== kept.join('\n')) return undefined
    const placed = (name: string): string => `${at}/${escapeStep(name)}`
    const unset = Object.keys(base).filter((name) => !Object.hasOwn(target, name))
    return [
      ...unset.map((name): Edit => ({ at: placed(name), unset: true })),
      ...kept.flatMap((name) => this.between(base[name] as Json, target[name] as Json, placed(name))),
      ...names.slice(kept.length).map((name): Edit => ({ at: placed(name), set: target[name] as Json })),
    ]
  }

  #inArray(base: readonly Json[], target: readonly Json[], at: string): readonly Edit[] {
    const ids = {
      base: base.map((item) => this.#index.idOf(item)),
      target: target.map((item) => this.#index.idOf(item)),
    }
    const edits: Edit[] = []
    // Left to right: when an edit is done, all before it is as it will be, so its index is one of the target.
    for (const gap of gapsBetween(ids)) {
      const paired = Math.min(gap.baseEnd - gap.baseStart, gap.targetEnd - gap.targetStart)
      for (let step = 0; step < paired; step += 1) {
        const [one, other] = [base[gap.baseStart + step] as Json, target[gap.targetStart + step] as Json]
        edits.push(...this.between(one, other, `${at}/${gap.targetStart + step}`))
      }
      const from = gap.targetStart + paired
      const remove = gap.baseEnd - gap.baseStart - paired
      const insert = target.slice(from, gap.targetEnd)
      if (remove + insert.length === 0) continue
      const isLast = gap.baseEnd === base.length && gap.targetEnd === target.length
      if (remove === 0 && isLast) edits.push({ at, append: insert })
      else edits.push({ at, from, ...(remove > 0 && { remove }), ...(insert.length > 0 && { insert }) })
    }
    return edits
  }
}

interface Ids {
  readonly base: readonly number[]
  readonly target: readonly number[]
}

/** A stretch in which the two differ, between stretches that are equal. */
interface Gap {
  readonly baseStart: number
  readonly baseEnd: number
  readonly targetStart: number
  readonly targetEnd: number
}

function gapsBetween(ids: Ids): readonly Gap[] {
  let start = 0
  const shorter = Math.min(ids.base.length, ids.target.length)
  while (start < shorter && ids.base[start] === ids.target[start]) start += 1
  let baseEnd = ids.base.length
  let targetEnd = ids.target.length
  while (baseEnd > start && targetEnd > start && ids.base[baseEnd - 1] === ids.target[targetEnd - 1]) {
    baseEnd -= 1
    targetEnd -= 1
  }
  return splitGap(ids, { baseStart: start, baseEnd, targetStart: start, targetEnd })
}

/** Split at the longest stretch that both have: a conversation whose older turns were dropped keeps the others. */
function splitGap(ids: Ids, gap: Gap): readonly Gap[] {
  const found = longestCommon(ids, gap)
  if (found === undefined) return gap.baseEnd > gap.baseStart || gap.targetEnd > gap.targetStart ? [gap] : []
  const { base, target, length } = found
  return [
    ...splitGap(ids, { ...gap, baseEnd: base, targetEnd: target }),
    ...splitGap(ids, { ...gap, baseStart: base + length, targetStart: target + length }),
  ]
}

function longestCommon(
  ids: Ids,
  { baseStart, baseEnd, targetStart, targetEnd }: Gap,
): { readonly base: number; readonly target: number; readonly length: number } | undefined {
  if ((baseEnd - baseStart) * (targetEnd - targetStart) > mostAligned) return undefined
  let best = { base: 0, target: 0, length: 0 }
  let before = new Map<number, number>()
  for (let base = baseStart; base < baseEnd; base += 1) {
    const lengths = new Map<number, number>()
    for (let target = targetStart; target < targetEnd; target += 1) {
      if (ids.base[base] !== ids.target[target]) continue
      const length = (before.get(target - 1) ?? 0) + 1
      lengths.set(target, length)
      if (length > best.length) best = { base: base - length + 1, target: target - length + 1, length }
    }
    before = lengths
  }
  return best.length === 0 ? undefined : best
}

function textEdits(base: string, target: string, at: string): readonly Edit[] | undefined {
  const shorter = Math.min(base.length, target.length)
  let start = 0
  while (start < shorter && base.charCodeAt(start) === target.charCodeAt(start)) start += 1
  // Never inside a character.
  if (isLowSurrogate(target.charCodeAt(start)) || isLowSurrogate(base.charCodeAt(start))) start -= 1
  let end = 0
  while (end < shorter - start && base.at(-1 - end) === target.at(-1 - end)) end += 1
  if (end > 0 && isLowSurrogate(target.charCodeAt(target.length - end))) end -= 1
  if (start < 0 || start + end < leastKeptText) return undefined
  const remove = base.length - start - end
  const insert = target.slice(start, target.length - end)
  if (remove === 0 && end === 0) return [{ at, append: insert }]
  return [{ at, from: start, ...(remove > 0 && { remove }), ...(insert !== '' && { insert }) }]
}

function isLowSurrogate(code: number): boolean {
  return code >= 0xdc00 && code <= 0xdfff
}

function isMembers(value: Json): value is Members {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
