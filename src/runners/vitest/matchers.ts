/** The matchers on tapes and opened cassettes, registered in Vitest's `expect`. What they say is `trajectory`'s. */
import { expectMatchers, type TrajectoryMatchers } from '../../trajectory/expect-matchers.ts'
import { vitest } from './vitest-module.ts'

declare module 'vitest' {
  // biome-ignore lint/suspicious/noExplicitAny: declarations that merge must have the same parameters
  interface Matchers<T = any> extends TrajectoryMatchers<T> {}
}

/** Adds them to `expect`; a second time changes nothing. */
export function registerMatchers(): void {
  vitest.expect.extend(expectMatchers)
}
