import type { DivergenceDetails } from '../errors/divergence-details.ts'

/** What a reporter may draw its own diff of: the first changed leaf alone. Empty where nothing changed but the order. */
export function changedLeaf(details: DivergenceDetails): { readonly actual?: string; readonly expected?: string } {
  const first = details.kind === 'changed' ? details.changes[0] : undefined
  if (first === undefined) return {}
  return {
    ...(first.present === undefined ? {} : { actual: plain(first.present) }),
    ...(first.recorded === undefined ? {} : { expected: plain(first.recorded) }),
  }
}

// Reporters quote strings themselves.
function plain(text: string): string {
  return text.length > 1 && text.startsWith('"') && text.endsWith('"') ? text.slice(1, -1) : text
}
