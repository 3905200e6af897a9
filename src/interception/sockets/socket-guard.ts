/**
 * The last road: every TCP and TLS connection of the process opens through `net.Socket.prototype.connect`, whatever the
 * client above. What no other road decided is put to the router here, so that nothing goes round the recording.
 */
import { Socket } from 'node:net'
import { isLoopbackHost } from '../../core/hashing/is-loopback-host.ts'
import { nextTick } from '../next-tick.ts'
import { currentRouter, interceptionState, isForwarded } from '../realm.ts'
import { connectTarget } from './connect-target.ts'
import { isOfUndici, watchUndiciConnects } from './undici-connects.ts'

/** In the options of a connection: it was asked for by a call that was decided, though its agent may make it for a later one. */
export const decidedConnection = Symbol.for('turntape.decidedConnection')

/** Patches once per process and stays: without a router, or for a free target, it only passes the call on. */
export function installSocketGuard(): void {
  const { patched } = interceptionState()
  if (patched.has('connect')) return
  patched.add('connect')
  watchUndiciConnects()
  const native = Socket.prototype.connect as (this: Socket, ...args: unknown[]) => Socket
  Socket.prototype.connect = function guardedConnect(this: Socket, ...args: unknown[]): Socket {
    const refusal = refusalOf(args)
    if (refusal === undefined) return native.apply(this, args)
    refuse(this, refusal)
    return this
  }
}

function refusalOf(args: readonly unknown[]): Error | undefined {
  const target = connectTarget(args)
  if (target === undefined) return undefined
  const isUndicis = isOfUndici(target.host)
  const router = currentRouter()
  if (router === undefined || isForwarded() || isDecided(args) || isLoopbackHost(target.host)) return undefined
  return router.connect(isUndicis ? { ...target, client: 'undici' } : target)
}

function isDecided(args: readonly unknown[]): boolean {
  const options: unknown = Array.isArray(args[0]) ? args[0][0] : args[0]
  return typeof options === 'object' && options !== null && decidedConnection in options
}

/** Fails as a connection does: later, so that listeners can be added; until then the socket counts as connecting. */
function refuse(socket: Socket, error: Error): void {
  ;(socket as { connecting: boolean }).connecting = true
  nextTick(() => socket.destroy(error))
}
