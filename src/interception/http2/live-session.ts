/** The session to the outside behind a front: opened by the first call that goes live, and told of as if it were the front. */
import type { ClientHttp2Session, ClientHttp2Stream, OutgoingHttpHeaders } from 'node:http2'

export class LiveSession {
  readonly #front: ClientHttp2Session
  readonly #open: () => ClientHttp2Session
  #session: ClientHttp2Session | undefined
  #isReferenced = true

  constructor({ front, open }: { readonly front: ClientHttp2Session; readonly open: () => ClientHttp2Session }) {
    this.#front = front
    this.#open = open
    front.once('close', () => this.#session?.close())
  }

  /** Its stream for one call. Run it inside `forward`. */
  request(headers: OutgoingHttpHeaders, options: { readonly endStream: boolean }): ClientHttp2Stream {
    const known = this.#session
    const session = known === undefined || known.closed || known.destroyed ? this.#connect() : known
    return session.request(headers, options)
  }

  ref(): void {
    this.#isReferenced = true
    this.#session?.ref()
  }

  unref(): void {
    this.#isReferenced = false
    this.#session?.unref()
  }

  #connect(): ClientHttp2Session {
    const front = this.#front
    const session = this.#open()
    this.#session = session
    if (!this.#isReferenced) session.unref()
    session.on('error', (error) => front.destroy(error))
    session.on('goaway', (code, lastStreamId, data) => {
      front.emit('goaway', code, lastStreamId, data)
      // As Node does next; any other code is an error of the session, which follows.
      if (code === 0) front.close()
    })
    session.on('close', () => {
      if (this.#session === session && !front.closed) front.close()
    })
    return session
  }
}
