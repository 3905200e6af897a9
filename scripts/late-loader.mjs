// @ts-check
// Part of the package: loads a late file when something of it is first called (scripts/late-modules.mjs).
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'

/**
 * @typedef {Record<string, (...values: unknown[]) => unknown>} Exports
 * @typedef {(group: string, file: string) => Exports} Late
 */

// Taken now: a test may put something else in their place.
const read = readFileSync
const { getBuiltinModule } = process

/**
 * `given`: the modules that late files import, by path below `src`; `builtIn`: what they import of modules of Node that a test may
 * fake, by name; `base`: the group whose files are given to every other; `here`: where this is.
 * @param {{ given: () => object, builtIn: Record<string, object>, base: string, here: string }} what @returns {Late}
 */
export function createLateLoader({ given, builtIn, base, here }) {
  const loaded = /** @type {Map<string, Record<string, Exports>>} */ (new Map())
  const require = (/** @type {string} */ name) => builtIn[name] ?? getBuiltinModule(name)
  const filesOf = (/** @type {string} */ group) => {
    let files = loaded.get(group)
    if (files === undefined) {
      const url = new URL(`./late-${group}.cjs`, here)
      const all = group === base ? given() : { ...given(), ...filesOf(base) }
      files = load(url)({ given: all, late, lateClass, fileUrl: url.href, require })
      loaded.set(group, files)
    }
    return files
  }
  /** @type {Late} */
  const late = (group, file) => /** @type {Exports} */ (filesOf(group)[file])
  return late
}

/** A class that is loaded when it is first used. @param {() => Function} take @returns {Function} */
export function lateClass(take) {
  // Not an arrow function: `new` needs one that can construct.
  function target() {}
  return new Proxy(target, {
    construct: (_, values) => Reflect.construct(take(), values),
    get: (_, key) => Reflect.get(take(), key),
  })
}

/**
 * Not by `require`: it reads with whatever a test has made of `fs`, and Vitest's vm pools need objects of this very realm.
 * @param {URL} url @returns {(what: object) => Record<string, Exports>}
 */
function load(url) {
  const module = /** @type {{ exports: any }} */ ({ exports: undefined })
  try {
    new Function('module', `${read(url, 'utf8')}\n//# sourceURL=${url}`)(module)
    return module.exports
  } catch (error) {
    if (!(error instanceof EvalError)) throw error
    return createRequire(url)(fileURLToPath(url)) // --disallow-code-generation-from-strings
  }
}
