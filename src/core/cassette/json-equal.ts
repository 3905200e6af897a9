/** Equality of JSON values (F13). */
import type { Json } from './document.ts'

/** Deep equality of JSON values; the order of members does not count. Iterative: depth costs no stack. */
export function jsonEqual(left: Json | undefined, right: Json | undefined): boolean {
  const pending: (Json | undefined)[] = [left, right]
  while (pending.length > 0) {
    const b = pending.pop()
    const a = pending.pop()
    if (a === b) continue
    if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false
    if (Array.isArray(a) && Array.isArray(b)) {
      if (a.length !== b.length) return false
      for (let index = a.length - 1; index >= 0; index -= 1) pending.push(a[index], b[index])
      continue
    }
    if (Array.isArray(a) || Array.isArray(b)) return false
    const names = Object.keys(a)
    if (names.length !== Object.keys(b).length) return false
    for (const name of names) {
      if (!Object.hasOwn(b, name)) return false
      pending.push((a as Record<string, Json>)[name], (b as Record<string, Json>)[name])
    }
  }
  return true
}
