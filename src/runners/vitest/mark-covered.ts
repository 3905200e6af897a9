import type { RunnerTestCase } from 'vitest'
import type { TapeOptions } from '../../session/tape-options.ts'
import { workerState } from '../../session/worker-state.ts'
import { suiteFunctions } from './suite-functions.ts'

const extending = new Set<PropertyKey>(['extend', 'override', 'scoped'])
const layersOf = new WeakMap<object, TapeOptions[]>()

/**
 * The same test function; what it defines is marked as covered with these options. So the tape is there before the
 * test's first fixture, and captured calls at module scope or in `beforeAll` of its file are refused. What is reached
 * through it (`.each`, `.concurrent`) or extends it marks as well.
 */
export function markCovered<T extends object>(test: T, options: TapeOptions): T {
  return new Proxy(test, {
    apply: (target, self: unknown, args: unknown[]) =>
      define(() => Reflect.apply(target as never, self, args), options),
    get(target, key) {
      const value: unknown = Reflect.get(target, key, target)
      if (typeof key === 'symbol' || typeof value !== 'function') return value
      if (!extending.has(key)) return markCovered(value, options)
      const extend = value as (...args: unknown[]) => object
      return (...args: unknown[]) => markCovered(Reflect.apply(extend, target, args) as object, options)
    },
  })
}

/** The options a test was marked with, farthest first; undefined: no covered test function defined it. */
export function coveredLayers(task: RunnerTestCase): readonly TapeOptions[] | undefined {
  return layersOf.get(task)
}

function define(call: () => unknown, options: TapeOptions): unknown {
  const { file } = workerState()
  if (file !== undefined) file.covered = true
  const { tasks } = suiteFunctions.getCurrentSuite()
  const before = tasks.length
  const result = call()
  for (const task of tasks.slice(before)) {
    const layers = layersOf.get(task)
    if (layers === undefined) layersOf.set(task, [options])
    else layers.push(options)
  }
  // `test.each(rows)` gives the function that defines.
  return typeof result === 'function' ? markCovered(result, options) : result
}
