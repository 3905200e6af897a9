/** Which TCP ports this very process listens on: a server under test is not the outside world. */
import { Server } from 'node:net'
import { interceptionState } from '../realm.ts'

/** Patches `listen` once per process. Servers that listened before are not known. No listener is put on anyone's server. */
export function watchOwnServers(): void {
  const { patched, servers } = interceptionState()
  if (patched.has('listen')) return
  patched.add('listen')
  const native = Server.prototype.listen as (this: Server, ...args: unknown[]) => Server
  Server.prototype.listen = function watchedListen(this: Server, ...args: unknown[]): Server {
    remember(this, servers)
    return native.apply(this, args)
  }
}

/** True while a server of this process, http, https, http2 or net, listens on the port. */
export function isOwnPort(port: number): boolean {
  for (const reference of interceptionState().servers) {
    const address = reference.deref()?.address() ?? undefined
    if (typeof address === 'object' && address.port === port) return true
  }
  return false
}

function remember(server: Server, servers: Set<WeakRef<Server>>): void {
  for (const reference of servers) {
    const known = reference.deref()
    if (known === server) return
    if (known === undefined) servers.delete(reference)
  }
  servers.add(new WeakRef(server))
}
