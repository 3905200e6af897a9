/** The entry `turntape/jest`. */
import type { TrajectoryMatchers } from '../../trajectory/expect-matchers.ts'
import { enterThisFile } from './load-core.ts'
import type { JestEntry } from './replay-test.ts'

export type { Tape } from '../../session/tape.ts'
export type { TapeOptions } from '../../session/tape-options.ts'
export type { TrajectoryMatchers } from '../../trajectory/expect-matchers.ts'
export type { ReplayTest, TapeContext } from './replay-test.ts'

declare global {
  // biome-ignore lint/style/noNamespace: where @types/jest has its matchers
  namespace jest {
    interface Matchers<R, T> extends TrajectoryMatchers<R> {}
  }
}

const entry: JestEntry = enterThisFile()

/** Jest's own `test`, with a tape. */
export const test: JestEntry['test'] = entry.test
/** The same test function, covered: `replay(it)`, `replay(test, { order: 'any' })`. */
export const replay: JestEntry['replay'] = entry.replay
/** A tape without a wrapped `test`: in a test, a describe or at the top of a file. */
export const useReplay: JestEntry['useReplay'] = entry.useReplay
/** `jest.mock('../src/tools', () => recordTools(jest.requireActual('../src/tools')))` */
export const recordTools: JestEntry['recordTools'] = entry.recordTools
