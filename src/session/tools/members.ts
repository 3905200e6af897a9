/** Looking at objects whose classes we do not import, and copies of them with other members. */

export type Members = Readonly<Record<PropertyKey, unknown>>

export function isObject(value: unknown): value is Members {
  return typeof value === 'object' && value !== null
}

/** Undefined where the value has no members. */
export function memberOf(value: unknown, key: PropertyKey): unknown {
  return isObject(value) ? value[key] : undefined
}

export function hasFunction(value: unknown, key: PropertyKey): boolean {
  return typeof memberOf(value, key) === 'function'
}

/** Of no class: an object literal or a module namespace. */
export function isPlainObject(value: unknown): value is Members {
  if (!isObject(value) || Array.isArray(value)) return false
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === null || Object.getPrototypeOf(prototype) === null
}

/** A class that must be called with `new`: no tool. */
export function isClass(value: unknown): boolean {
  return typeof value === 'function' && /^class\b/.test(Function.prototype.toString.call(value))
}

/**
 * A copy of the same class with these members replaced and every other own one as it is, symbols and accessors too.
 * The original is not touched.
 */
export function copyWith<T extends object>(original: T, replaced: Members): T {
  const descriptors: PropertyDescriptorMap = Object.getOwnPropertyDescriptors(original)
  for (const key of Reflect.ownKeys(replaced)) {
    const enumerable = descriptors[key as string]?.enumerable ?? false
    descriptors[key as string] = { value: replaced[key], configurable: true, enumerable, writable: true }
  }
  return Object.create(Object.getPrototypeOf(original), descriptors) as T
}
