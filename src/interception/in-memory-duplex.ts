/**
 * Two ends of a connection that never leaves the process: what one end writes the other reads, in the same pieces. A client
 * of Node's gets the one, a server that never listens the other. They know nothing of HTTP.
 */
import { Duplex } from 'node:stream'
import { clearTimeout, setTimeout } from 'node:timers'
import { nextTick } from './next-tick.ts'

// Bound here: a test's fake timers may replace them later on.
const startTimer = setTimeout
const stopTimer = clearTimeout

export interface InMemoryConnection {
  /** Still connecting: call `open()` once it is in its user's hands. What he writes before waits. */
  readonly client: InMemoryDuplex
  readonly server: InMemoryDuplex
}

/**
 * `encrypted`: the client's end shows what a TLS socket shows. `readAhead` false: the client's end takes a piece only when its
 * reader asks for one, so that no two are ever joined.
 */
export function inMemoryConnection(options: {
  readonly encrypted: boolean
  readonly readAhead: boolean
}): InMemoryConnection {
  const client = new InMemoryDuplex({
    allowHalfOpen: false,
    ...(options.readAhead ? {} : { readableHighWaterMark: 0 }),
  })
  const server = new InMemoryDuplex({ allowHalfOpen: true })
  InMemoryDuplex.join(client, server)
  server.connecting = false
  if (options.encrypted) Object.assign(client, encryptedMembers)
  return { client, server }
}

const encryptedMembers = {
  encrypted: true,
  authorized: true,
  authorizationError: null,
  alpnProtocol: false,
  getPeerCertificate: () => ({}),
  getSession: () => undefined,
  isSessionReused: () => false,
}

interface Write {
  readonly pieces: readonly Uint8Array[]
  readonly done: (error?: Error | null) => void
}

interface DuplexSetup {
  readonly allowHalfOpen: boolean
  readonly readableHighWaterMark?: number
}

/** One end. It has the members of a socket that HTTP clients and servers use. */
export class InMemoryDuplex extends Duplex {
  readonly remoteAddress = '127.0.0.1'
  readonly remoteFamily = 'IPv4'
  readonly remotePort = 0
  readonly localAddress = '127.0.0.1'
  readonly localPort = 0
  connecting = true
  timeout: number | undefined
  #peer: InMemoryDuplex | undefined
  /** Its reader asked for more than it has got. */
  #isAsked = false
  #whenAsked: (() => void)[] = []
  #outgoing: Write | undefined
  #timer: NodeJS.Timeout | undefined

  constructor(setup: DuplexSetup) {
    super(setup)
  }

  static join(one: InMemoryDuplex, other: InMemoryDuplex): void {
    one.#peer = other
    other.#peer = one
  }

  /** The connection is made: what was written before goes on its way. */
  open(): void {
    if (!this.connecting || this.destroyed) return
    this.connecting = false
    this.emit('connect')
    this.emit('ready')
    if ('encrypted' in this) this.emit('secureConnect')
    this.#deliver()
  }

  /** Settles when this end's reader has taken all that came and asks for more; at once where he does. */
  asked(): Promise<void> {
    return new Promise((resolve) => {
      if (this.#isAsked && this.readableLength === 0) resolve()
      else this.#whenAsked.push(resolve)
    })
  }

  override _read(): void {
    this.#isAsked = true
    const peer = this.#peer
    if (peer !== undefined) peer.#deliver()
    // Nothing is delivered within `_read`: a stream would take it for buffered.
    if (this.#whenAsked.length > 0) nextTick(() => this.#tellAsked())
  }

  override _write(chunk: Uint8Array, _encoding: BufferEncoding, done: Write['done']): void {
    this.#send({ pieces: [chunk], done })
  }

  override _writev(chunks: readonly { readonly chunk: Uint8Array }[], done: Write['done']): void {
    this.#send({ pieces: chunks.map(({ chunk }) => chunk), done })
  }

  override _final(done: (error?: Error | null) => void): void {
    nextTick(() => {
      this.#peer?.push(null)
      done()
    })
  }

  override _destroy(error: Error | null, done: (error?: Error | null) => void): void {
    this.setTimeout(0)
    // What waits for a connection that never was is told nothing, as on a socket before its `close`.
    if (!this.connecting) this.#breakWrite()
    for (const resolve of this.#whenAsked.splice(0)) resolve()
    const peer = this.#peer
    if (peer !== undefined) nextTick(() => peer.#peerGone())
    done(error)
  }

  /** As a socket's: `timeout` after so long without traffic; 0 for never. */
  setTimeout(timeoutMs: number, listener?: () => void): this {
    this.timeout = timeoutMs
    if (listener !== undefined) {
      if (timeoutMs === 0) this.removeListener('timeout', listener)
      else this.once('timeout', listener)
    }
    this.#restartTimer()
    return this
  }

  setNoDelay(): this {
    return this
  }

  setKeepAlive(): this {
    return this
  }

  ref(): this {
    return this
  }

  unref(): this {
    return this
  }

  address(): object {
    return { address: this.localAddress, family: this.remoteFamily, port: this.localPort }
  }

  /** As a socket's: gone once all is written. */
  destroySoon(): void {
    if (this.writable) this.end()
    if (this.writableFinished) this.destroy()
    else this.once('finish', () => this.destroy())
  }

  #send(write: Write): void {
    this.#outgoing = write
    this.#restartTimer()
    this.#deliver()
  }

  /** Later, so that neither end runs inside a call of the other. */
  #deliver(): void {
    if (this.#outgoing === undefined || this.connecting) return
    nextTick(() => {
      const write = this.#outgoing
      const peer = this.#peer
      if (write === undefined || peer === undefined || !peer.#isAsked || this.connecting) return
      this.#outgoing = undefined
      peer.#isAsked = false
      peer.#restartTimer()
      // What was written at once arrives at once; a reader that has enough says so, and the next write waits.
      for (const piece of write.pieces) {
        if (peer.destroyed) break
        peer.#isAsked = peer.push(piece) && !peer.isPaused()
      }
      write.done()
    })
  }

  #tellAsked(): void {
    if (!this.#isAsked || this.readableLength > 0) return
    for (const resolve of this.#whenAsked.splice(0)) resolve()
  }

  /** As when the other side closes: what has arrived can be read, what is written finds nobody. */
  #peerGone(): void {
    if (this.destroyed) return
    this.push(null)
    this.#breakWrite()
  }

  #breakWrite(): void {
    const write = this.#outgoing
    this.#outgoing = undefined
    write?.done(Object.assign(new Error('write EPIPE'), { code: 'EPIPE', syscall: 'write' }))
  }

  #restartTimer(): void {
    if (this.#timer !== undefined) stopTimer(this.#timer)
    this.#timer = undefined
    const { timeout } = this
    if (timeout === undefined || timeout <= 0 || this.destroyed) return
    this.#timer = startTimer(() => this.emit('timeout'), timeout).unref()
  }
}
