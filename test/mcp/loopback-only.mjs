// @ts-check
// Preloaded into a server that would listen on every interface: it listens on a free loopback port and prints it.
import { Server } from 'node:net'

const listen = Server.prototype.listen

/** @this {Server} @param {unknown[]} given */
function listenOnLoopback(...given) {
  const listening = given.find((value) => typeof value === 'function')
  const tell = () => {
    process.stdout.write(`port ${/** @type {import('node:net').AddressInfo} */ (this.address()).port}\n`)
    if (typeof listening === 'function') listening()
  }
  return Reflect.apply(listen, this, [0, '127.0.0.1', tell])
}

Server.prototype.listen = listenOnLoopback
