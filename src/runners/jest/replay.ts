import { sessionOfSlot } from '../../session/session-of-slot.ts'
import { tapeOf } from '../../session/tape.ts'
import type { TapeOptions } from '../../session/tape-options.ts'
import { workerState } from '../../session/worker-state.ts'
import type { JestFile } from './jest-file.ts'
import type { TestFunction } from './jest-realm.ts'
import type { JestEntry, TapeContext } from './replay-test.ts'

type AnyCall = (...args: unknown[]) => unknown

/** Test functions that are reached through another one: `test.only`, `test.concurrent.failing`. */
const modes = new Set<PropertyKey>(['only', 'skip', 'concurrent', 'failing'])

/**
 * Makes `replay` of one file: the same test function, covered. Every test of it gets a tape, and its calls are recorded
 * or replayed. Keeps `.each`, `.only`, `.skip`, `.failing`, `.concurrent` and `.todo`, and adds `.for`.
 */
export function replayWith(file: JestFile): JestEntry['replay'] {
  return (base: TestFunction, options: TapeOptions = {}) => covering(base, { file, options }) as never
}

interface Coverage {
  readonly file: JestFile
  readonly options: TapeOptions
}

function covering(base: unknown, coverage: Coverage): unknown {
  const target = base as AnyCall & Record<PropertyKey, unknown>
  return new Proxy(target, {
    apply: (_, self, [name, fn, timeoutMs]: readonly unknown[]) =>
      define(coverage, () => Reflect.apply(target, self, given([name, withTape(fn), timeoutMs]))),
    get(_, key) {
      if (key === 'for') return (table: readonly unknown[]) => definesRows(coverage, target, table)
      const value: unknown = Reflect.get(target, key, target)
      if (typeof value !== 'function') return value
      if (modes.has(key)) return covering(value, coverage)
      if (key === 'each')
        return (...table: unknown[]) => defines(coverage, Reflect.apply(value, target, table) as AnyCall)
      return value
    },
  })
}

/** What `test.each(table)` gives. */
function defines(coverage: Coverage, defineRow: AnyCall): AnyCall {
  return (...args) => define(coverage, () => defineRow(...args))
}

function definesRows(coverage: Coverage, base: Record<PropertyKey, unknown>, table: readonly unknown[]): AnyCall {
  const each = (base.each as AnyCall)(table) as AnyCall
  // Jest spreads a row that is an array, if every one is.
  const spread = table.every(Array.isArray)
  return (name, fn, timeoutMs) => {
    const run = fn as (row: unknown, context: TapeContext) => unknown
    const body = (...row: unknown[]): unknown => run(spread ? row : row[0], contextHere())
    return define(coverage, () => each(...given([name, body, timeoutMs])))
  }
}

/** Without parameters: Jest takes one for a `done` callback. */
function withTape(fn: unknown): unknown {
  return typeof fn === 'function' ? () => (fn as AnyCall)(contextHere()) : fn
}

/** The tape of the test whose async context this is. */
function contextHere(): TapeContext {
  const slot = workerState().slots.getStore()
  return { tape: tapeOf(sessionOfSlot(slot)) }
}

/** Marks the tests that the call defines. */
function define({ file, options }: Coverage, call: () => unknown): unknown {
  const { children } = file.circus.currentDescribeBlock
  const before = children.length
  const result = call()
  for (const child of children.slice(before)) file.cover(child, options)
  return result
}

/** Jest looks at how many arguments it got. */
function given(args: readonly unknown[]): unknown[] {
  const last = args.findLastIndex((argument) => argument !== undefined)
  return args.slice(0, last + 1)
}
