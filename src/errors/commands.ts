import { shellFileFilter, shellNamePattern, shellQuote } from './shell-quote.ts'

/** One test, as the commands name it. */
export interface TestReference {
  /** POSIX path relative to the package root. */
  readonly file: string
  /** The describe chain and the test's own name. */
  readonly names: readonly string[]
}

/** Records this one test anew, paying for all of it: `npx turntape record "test/a.test.ts > books > a flight"`. */
export function recordCommand({ file, names }: TestReference): string {
  return `npx turntape record ${shellQuote([file, ...names].join(' > '))}`
}

/** Runs this one test in mode `update`: equal requests are replayed, the first one that differs goes live. */
export function vitestUpdateCommand({ file, names }: TestReference): string {
  return `npx vitest run ${shellFileFilter(file)} -t ${shellNamePattern(names)} -u`
}

/** The same with Jest. */
export function jestUpdateCommand({ file, names }: TestReference): string {
  return `npx jest ${shellFileFilter(file)} -t ${shellNamePattern(names)} -u`
}

/** Any other `turntape` command over one cassette: `npx turntape check "cassettes/a.test/b.json"`. */
export function cassetteCommand(command: 'accept' | 'check' | 'check --fix' | 'show', cassette: string): string {
  return `npx turntape ${command} ${shellQuote(cassette)}`
}
