/** `import { recordTools } from 'turntape/vitest'`, other names and an alias beside it allowed. */
const importPattern = /import\s*\{[^}]*\brecordTools\b(?:\s+as\s+([\w$]+))?[^}]*\}\s*from\s*(['"])turntape\/vitest\2/

/** `vi.mock(` and its first argument, a text or an `import()` of one, up to the second. */
const mockPattern = /(\bvi(?:test)?\s*\.\s*mock\s*\(\s*(?:import\s*\(\s*(['"`])[^'"`]*\2\s*\)|(['"`])[^'"`]*\3)\s*,\s*)/

/**
 * The source with `vi.mock(…, recordTools)` made to work; undefined where there is none. Vitest moves `vi.mock` above
 * every import but its own, so that the name would be read before it has a value: instead a factory imports it when it
 * is called. Line numbers stay.
 */
export function hoistRecordTools(source: string): string | undefined {
  const imported = importPattern.exec(source)
  if (imported === null) return undefined
  const name = (imported[1] ?? 'recordTools').replaceAll('$', '\\$')
  const factory = "async (original) => (await import('turntape/vitest')).recordTools(original)"
  const hoisted = source.replace(new RegExp(`${mockPattern.source}${name}(\\s*,?\\s*\\))`, 'g'), `$1${factory}$4`)
  return hoisted === source ? undefined : hoisted
}
