/** Members that are made when they are first read, and then stay: own and enumerable, so that a reader sees plain data. */

/** Adds the member to `target`, which is returned; `make` runs at most once, unless it throws. */
export function withLazy<T extends object, N extends string, V>(
  target: T,
  name: N,
  make: () => V,
): T & { readonly [K in N]: V } {
  Object.defineProperty(target, name, {
    configurable: true,
    enumerable: true,
    get(): V {
      const value = make()
      Object.defineProperty(target, name, { configurable: true, enumerable: true, writable: true, value })
      return value
    },
  })
  return target as T & { readonly [K in N]: V }
}
