import type { Conversation } from './conversation.ts'
import { type Message, parameter, withParameters } from './json-rpc.ts'

/** A request of the server that the client has not answered. */
export interface ServerRequest {
  readonly conversation: Conversation
  readonly message: Message
  /** Its number on the cassette; absent: the id that the client gets. */
  readonly number?: number
  /** The server's own id; absent: it comes from the cassette. */
  readonly liveId?: unknown
}

/** Requests of the server, under ids that are counted here: those of a live server and of a cassette may be the same. */
export class ServerRequests {
  readonly #open = new Map<unknown, ServerRequest>()
  #count = 0

  /** Gives the id under which the client gets it. */
  add(request: ServerRequest): number {
    this.#count += 1
    this.#open.set(this.#count, request)
    return this.#count
  }

  /** The request that the client answers under this id, once. */
  take(id: unknown): ServerRequest | undefined {
    const request = this.#open.get(id)
    this.#open.delete(id)
    return request
  }

  /** Any other message as it is; of one that gives up a request, which `isMeant` knows by its id, under the client's id. */
  renamed(message: Message, isMeant: (id: unknown, request: ServerRequest) => boolean): Message {
    if (message.method !== 'notifications/cancelled') return message
    const id = parameter(message, 'requestId')
    const known = [...this.#open].find(([, request]) => isMeant(id, request))
    return known === undefined ? message : withParameters(message, { requestId: known[0] })
  }

  clear(): void {
    this.#open.clear()
  }
}
