/**
 * What all copies of this package in one thread share: they may be several (an ESM and an inlined one, one for each
 * vm context of the runner), while `fetch`'s dispatcher and the socket prototypes are there once.
 * The state lies on the outer global, the realm of Node's own modules. This file knows of no road and no decision.
 * A change of the state's shape needs a new key: an older copy may be reading it.
 */
import { AsyncLocalStorage } from 'node:async_hooks'
import type { Server } from 'node:net'
import type { Router } from './router.ts'

const stateKey = Symbol.for('turntape.interception.2')

/** The way out of one call that was decided. */
export interface Passage {
  /** Set to false once nothing more belongs to the call: what is left of its async context may be a listener's next call. */
  isOpen: boolean
}

export interface InterceptionState {
  /** Set while a call that was decided goes out: roads further down let it through, the socket guard as well. */
  readonly forwarded: AsyncLocalStorage<Passage>
  /** Routers in the order installed; the last one decides. */
  readonly routers: Router[]
  /** Each replacement of `fetch` with what it replaced. */
  readonly fetches: WeakMap<object, typeof fetch>
  /** Each dispatcher of ours with the one under it. */
  readonly dispatchers: WeakMap<object, object>
  /** Each replacement of `request` and `get` of `node:http` and `node:https` with what it replaced. */
  readonly requests: WeakMap<object, object>
  /** Servers that `listen` was called on, listening or not. */
  readonly servers: Set<WeakRef<Server>>
  /** Once per process, by name: what has been patched. */
  readonly patched: Set<'connect' | 'listen'>
}

type OuterGlobal = typeof globalThis & Record<symbol, unknown>

let outermost: OuterGlobal | undefined

/** The global object of Node's own realm, which in vm contexts is not `globalThis`. */
export function outerGlobal(): OuterGlobal {
  outermost ??= findOuterGlobal()
  return outermost
}

function findOuterGlobal(): OuterGlobal {
  try {
    return AsyncLocalStorage.constructor('return globalThis')()
  } catch {
    // --disallow-code-generation-from-strings: this realm is then the best guess.
    return globalThis as OuterGlobal
  }
}

let found: InterceptionState | undefined

/** The shared state, made by whichever copy comes first. */
export function interceptionState(): InterceptionState {
  if (found !== undefined) return found
  const outer = outerGlobal()
  if (outer[stateKey] === undefined) {
    const state: InterceptionState = {
      forwarded: new AsyncLocalStorage(),
      routers: [],
      fetches: new WeakMap(),
      dispatchers: new WeakMap(),
      requests: new WeakMap(),
      servers: new Set(),
      patched: new Set(),
    }
    Object.defineProperty(outer, stateKey, { value: state, enumerable: false })
  }
  found = outer[stateKey] as InterceptionState
  return found
}

/** The router that decides now. Undefined: nothing is installed, every road stands open. */
export function currentRouter(): Router | undefined {
  return interceptionState().routers.at(-1)
}

/** Runs a call that was decided to go out. */
export function forward<R>(call: () => R, passage: Passage = { isOpen: true }): R {
  return interceptionState().forwarded.run(passage, call)
}

/** True inside `forward`, in everything it started, while the passage is open. */
export function isForwarded(): boolean {
  return interceptionState().forwarded.getStore()?.isOpen === true
}
