/** One call of a replaced method: `native` is the method as it was, bound. */
export type Replacement = (native: (...args: unknown[]) => unknown, args: unknown[]) => unknown

/**
 * Puts a method of our own on an object, until the function given back is called. It cannot be listed: clients copy what they
 * can list of a response. Where somebody has put his own over it meanwhile, his stays, and ours lets him through.
 */
export function replaceMember(target: object, name: string, replacement: Replacement): () => void {
  const before = Object.getOwnPropertyDescriptor(target, name)
  const method = Reflect.get(target, name) as (...args: unknown[]) => unknown
  const native = (...args: unknown[]): unknown => Reflect.apply(method, target, args)
  let isOn = true
  const ours = (...args: unknown[]): unknown => (isOn ? replacement(native, args) : native(...args))
  Object.defineProperty(target, name, { value: ours, configurable: true, enumerable: false, writable: true })
  return () => {
    isOn = false
    if (Object.getOwnPropertyDescriptor(target, name)?.value !== ours) return
    if (before === undefined) Reflect.deleteProperty(target, name)
    else Object.defineProperty(target, name, before)
  }
}
