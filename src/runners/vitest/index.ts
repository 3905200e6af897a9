/** The entry `turntape/vitest`. */
import type { TestAPI } from 'vitest'
import type { Tape } from '../../session/tape.ts'
import type { TrajectoryMatchers } from '../../trajectory/expect-matchers.ts'
import { registerMatchers } from './matchers.ts'
import { replay } from './replay.ts'
import { currentTestPath } from './runner-facts.ts'
import { setUpFile } from './set-up-file.ts'
import { vitest } from './vitest-module.ts'

export type { Tape } from '../../session/tape.ts'
export type { TapeOptions } from '../../session/tape-options.ts'
export { recordTools } from '../../session/tools/record-tools.ts'
export { type ReplayPluginOptions, replayPlugin } from './plugin.ts'
export { replay } from './replay.ts'
export { useReplay } from './use-replay.ts'
export type { TrajectoryMatchers }

// It stands in the entry, since nothing else of a module that is only run reaches the published types.
declare module 'vitest' {
  // biome-ignore lint/suspicious/noExplicitAny: declarations that merge must have the same parameters
  interface Matchers<T = any> extends TrajectoryMatchers<T> {}
}

// A configuration file imports this entry too, for the plugin; there `test` cannot be extended, and is of no use.
const inWorker = currentTestPath() !== undefined

/** Vitest's own `test`, with a tape. */
export const test: TestAPI<{ tape: Tape }> = inWorker ? replay(vitest.test) : (undefined as never)

if (inWorker) registerMatchers()

// With the plugin the set-up file has done this before any user module; without it, this is the earliest moment.
await setUpFile((path) => import(/* @vite-ignore */ path))
