// @ts-check
// Part of the package: loads a late file when something of it is first called (scripts/late-modules.mjs).
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'

/**
 * @typedef {Record<string, (...values: unknown[]) => unknown>} Exports
 * @typedef {{ late: (group: string, file: string) => Exports, lateClass: (take: () => Function) => Function }} LateLoader
 */

// Taken now: a test may put something else in their place.
const read = readFileSync
const { getBuiltinModule } = process

/** `given`: the modules that late files import, by path below `src`; `here`: where this is. @param {{ given: () => object, here: string }} what @returns {LateLoader} */
export function createLateLoader({ given, here }) {
  const loaded = /** @type {Map<string, Record<string, Exports>>} */ (new Map())
  /** @type {LateLoader['late']} */
  const late = (group, file) => {
    let files = loaded.get(group)
    if (files === undefined) {
      const url = new URL(`./late-${group}.cjs`, here)
      files = load(url)({ given: given(), late, lateClass, fileUrl: url.href })
      loaded.set(group, files)
    }
    return /** @type {Exports} */ (files[file])
  }
  return { late, lateClass }
}

/** A class that is loaded when it is first used. @type {LateLoader['lateClass']} */
function lateClass(take) {
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
    new Function('module', 'require', `${read(url, 'utf8')}\n//# sourceURL=${url}`)(module, getBuiltinModule)
    return module.exports
  } catch (error) {
    if (!(error instanceof EvalError)) throw error
    return createRequire(url)(fileURLToPath(url)) // --disallow-code-generation-from-strings
  }
}
