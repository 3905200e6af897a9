/**
 * The road of `node:http2`, which the AWS SDK takes by default: `http2.connect` gives a real session, whose other end lies in
 * this process. Each of its streams is one call for the router. A session to the outside is opened when the first call goes
 * live, and not before. It never knows why a call is served or sent.
 */
import type { ClientHttp2Session } from 'node:http2'
import { syncBuiltinESMExports } from 'node:module'
import process from 'node:process'
import { currentRouter } from '../realm.ts'
import { frontSession } from './front-session.ts'

type Http2 = typeof import('node:http2')
type Connect = (authority: string | URL, ...rest: unknown[]) => ClientHttp2Session

/** On our replacement, for any copy of this package: what it replaced. */
const replaced = Symbol.for('turntape.http2.connect')

/** Loads `node:http2`. Both styles of import see the replacement: the bindings of ES modules are live. */
export function installHttp2Road(): void {
  const http2 = builtInHttp2()
  const native = http2.connect as Connect & { [replaced]?: Connect }
  if (native[replaced] !== undefined) return
  const connect = (authority: string | URL, ...rest: unknown[]): ClientHttp2Session => {
    const [options, listener] = typeof rest[0] === 'function' ? [undefined, rest[0]] : rest
    // Over a connection of the caller's own: whoever opened that was seen by the guard.
    const isOwn = typeof (options as { createConnection?: unknown } | undefined)?.createConnection === 'function'
    if (currentRouter() === undefined || isOwn) return native(authority, ...rest)
    const front = frontSession({ http2, connect: native, authority, options: options ?? {} })
    if (typeof listener === 'function') front.once('connect', listener as () => void)
    return front
  }
  replaceConnect(http2, Object.assign(connect, { [replaced]: native }))
}

/** Takes our replacement off where it is still on top; under another's it stays, and lets everything through. */
export function uninstallHttp2Road(): void {
  const http2 = builtInHttp2()
  const native = (http2.connect as { [replaced]?: Connect })[replaced]
  if (native !== undefined) replaceConnect(http2, native)
}

function builtInHttp2(): Http2 {
  return process.getBuiltinModule('node:http2') as Http2
}

function replaceConnect(http2: Http2, connect: Connect): void {
  ;(http2 as { connect: unknown }).connect = connect
  syncBuiltinESMExports()
}
