import { recordedModule } from './recorded-module.ts'

/**
 * A module whose exported functions are tools: recorded in covered tests, not run in replay, and left alone elsewhere.
 * A factory for `vi.mock`, which gives it the way to the original; it takes a module that is loaded, too.
 *
 * @example
 * vi.mock(import('../src/tools'), recordTools)
 */
export function recordTools<M extends object>(importOriginal: () => Promise<M>): Promise<M>
export function recordTools<M extends object>(module: M): M
export function recordTools<M extends object>(given: M | (() => Promise<M>)): M | Promise<M> {
  return typeof given === 'function' ? given().then(recordedModule) : recordedModule(given)
}
