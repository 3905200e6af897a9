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

/**
 * Gives the cassette `from` to a test, or to the place `to`; a folder of cassettes to a folder:
 * `npx turntape move "cassettes/test/a.test/old.json" "test/a.test.ts > new"`.
 */
export function moveCommand(from: string, to: string | TestReference): string {
  const target = typeof to === 'string' ? to : [to.file, ...to.names].join(' > ')
  return `npx turntape move ${shellQuote(from)} ${shellQuote(target)}`
}

/** A line of a test file that fakes the date and leaves the timers real. */
export const vitestRealTimers = "vi.useFakeTimers({ toFake: ['Date'] })"

/** The same for Jest, which has no list of what to fake. */
export const jestRealTimers = `jest.useFakeTimers({ doNotFake: [${[
  ...['nextTick', 'queueMicrotask', 'setImmediate', 'clearImmediate'],
  ...['setInterval', 'clearInterval', 'setTimeout', 'clearTimeout'],
]
  .map((name) => `'${name}'`)
  .join(', ')}] })`

/** Puts the committed file back, or during a conflict one side of it: `git checkout -- "cassettes/a.test/b.json"`. */
export function checkoutCommand(side: '--' | '--ours --' | '--theirs --', cassette: string): string {
  return `git checkout ${side} ${shellQuote(cassette)}`
}

/** Any other `turntape` command over one cassette: `npx turntape check "cassettes/a.test/b.json"`. */
export function cassetteCommand(command: 'accept' | 'check' | 'check --fix' | 'show', cassette: string): string {
  return `npx turntape ${command} ${shellQuote(cassette)}`
}
