/** The matchers on tapes and opened cassettes, registered in Vitest's `expect`. What they say is `trajectory`'s. */
import { expectMatchers } from '../../trajectory/expect-matchers.ts'
import { vitest } from './vitest-module.ts'

/** Adds them to `expect`; a second time changes nothing. */
export function registerMatchers(): void {
  vitest.expect.extend(expectMatchers)
}
