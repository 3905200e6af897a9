import { workerState } from '../../session/worker-state.ts'

const extending = new Set<PropertyKey>(['extend', 'override', 'scoped'])

/**
 * The same test function; using it marks the file that is being collected as covered, so that captured calls at module
 * scope or in `beforeAll` are refused there. What extends it marks as well.
 */
export function markCovered<T extends object>(test: T): T {
  return new Proxy(test, {
    apply(target, self: unknown, args: unknown[]) {
      mark()
      return Reflect.apply(target as never, self, args) as unknown
    },
    get(target, key) {
      const value: unknown = Reflect.get(target, key, target)
      if (typeof key === 'symbol' || typeof value !== 'function') return value
      if (extending.has(key)) {
        const extend = value as (...args: unknown[]) => object
        return (...args: unknown[]) => markCovered(Reflect.apply(extend, target, args) as object)
      }
      mark()
      return value
    },
  })
}

function mark(): void {
  const { file } = workerState()
  if (file !== undefined) file.covered = true
}
