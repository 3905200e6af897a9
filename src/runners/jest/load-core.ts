/**
 * The way out of the test file's realm. Jest gives each file a global object and copies of all modules of its own, CommonJS
 * or ES modules as the file is; Node's own `require` loads our one build for all of them.
 */
import { AsyncLocalStorage } from 'node:async_hooks'
import type { JestRealm, TestFunction } from './jest-realm.ts'
import type { JestEntry } from './replay-test.ts'

declare const __filename: string | undefined
declare const module: { readonly require: (path: string) => unknown } | undefined

/** Loads a file beside the entry outside of the realm. */
export function requireOutside(file: string): unknown {
  const { createRequire } = outerProcess().getBuiltinModule('node:module')
  const here = typeof __filename === 'string' ? __filename : import.meta.url
  return createRequire(here)(file)
}

/** The process object of Node's own realm: Jest's copy knows other modules. */
function outerProcess(): NodeJS.Process {
  try {
    return AsyncLocalStorage.constructor('return process')()
  } catch {
    return process // --disallow-code-generation-from-strings
  }
}

/** The entry of the test file in whose realm this runs. */
export function enterThisFile(): JestEntry {
  const { enterFile } = requireOutside('./jest-core.js') as { enterFile: (realm: JestRealm) => JestEntry }
  // By the module, since a bundler puts a function of its own in the place of a free `require`.
  const load = typeof module === 'object' ? (path: string) => module?.require(path) : undefined
  // The package is Jest's own way to its functions where `injectGlobals` is off; it needs no installation.
  const runner = (load?.('@jest/globals') ?? globalThis) as Record<string, unknown>
  const { expect, test, beforeAll, afterAll, afterEach } = runner
  return enterFile({
    global: globalThis,
    expect: expect as JestRealm['expect'],
    test: test as TestFunction,
    beforeAll: beforeAll as JestRealm['beforeAll'],
    afterAll: afterAll as JestRealm['afterAll'],
    afterEach: afterEach as JestRealm['afterEach'],
    require: load,
  })
}
