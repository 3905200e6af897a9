/**
 * Clients, pools and agents of an npm undici that are called directly or given as `dispatcher`: they never look at the global
 * one. All of them have one `dispatch`, of one class in each copy of undici. What Node has loaded of it is found in its module
 * cache; a copy in a module system of the runner's own (Jest, vm contexts, a bundle) is not, and stays the socket guard's.
 */
import { Module } from 'node:module'
import { isForwarded } from '../realm.ts'
import type { Dispatcher, DispatchHandler, DispatchOptions } from './dispatch-protocol.ts'
import { interceptDispatch } from './dispatcher-road.ts'

/** Since version 5: beside the classes, later in a folder with them. */
const baseModule = /[\\/]undici[\\/]lib[\\/](?:dispatcher[\\/])?dispatcher-base\.js$/

interface DispatcherClass {
  readonly prototype: Dispatcher
}

type Dispatch = Dispatcher['dispatch']

/** On our replacement, for any copy of this package: what it replaced. */
const replaced = Symbol.for('turntape.undici.dispatch')

let looked = 0

/** Covers what is loaded by now; call it again for what comes later. */
export function installUndiciClients(): void {
  const names = cachedModules()
  if (names.length === looked) return
  looked = names.length
  for (const { prototype } of dispatcherClasses(names)) cover(prototype)
}

export function uninstallUndiciClients(): void {
  looked = 0
  for (const { prototype } of dispatcherClasses(cachedModules())) {
    const native = (prototype.dispatch as { [replaced]?: Dispatch })[replaced]
    if (native !== undefined) prototype.dispatch = native
  }
}

function cover(prototype: Dispatcher): void {
  const native = prototype.dispatch as Dispatch & { [replaced]?: Dispatch }
  if (native[replaced] !== undefined) return
  const dispatch = function dispatch(this: Dispatcher, options: DispatchOptions, handler: DispatchHandler): boolean {
    const own: Dispatcher = { dispatch: native.bind(this) }
    if (isDecided(handler)) return own.dispatch(options, handler)
    const origin = options?.origin ?? originOf(this)
    return interceptDispatch({ native: own, options: origin === undefined ? options : { ...options, origin }, handler })
  }
  prototype.dispatch = Object.assign(dispatch, { [replaced]: native })
}

/** A client of one origin is not told it again with each request. Undefined: one of many origins. */
function originOf(dispatcher: Dispatcher): string | undefined {
  const key = Object.getOwnPropertySymbols(dispatcher).find(({ description }) => description === 'url')
  const url = key === undefined ? undefined : (dispatcher as unknown as Record<symbol, unknown>)[key]
  return url instanceof URL ? url.origin : undefined
}

/** A busy pool dispatches later, in the async context of an answer: what was decided above it is known by its handler. */
const decided = new WeakSet<DispatchHandler>()

function isDecided(handler: DispatchHandler): boolean {
  if (typeof handler !== 'object' || handler === null) return true // undici says what is wrong with it
  if (isForwarded()) decided.add(handler)
  return decided.has(handler)
}

function* dispatcherClasses(names: readonly string[]): Generator<DispatcherClass> {
  const { _cache: cache = {} } = Module as unknown as ModuleCache
  for (const name of names) {
    if (!baseModule.test(name)) continue
    const found = cache[name]?.exports
    if (typeof found?.prototype?.dispatch === 'function') yield found as DispatcherClass
  }
}

interface ModuleCache {
  readonly _cache?: Readonly<Record<string, { readonly exports?: Partial<DispatcherClass> } | undefined>>
}

function cachedModules(): readonly string[] {
  return Object.keys((Module as unknown as ModuleCache)._cache ?? {})
}
