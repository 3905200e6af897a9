import { AsyncResource } from 'node:async_hooks'
import type { ElementSink } from '../session/calls/pushed-elements.ts'
import { type Message, progressToken } from './json-rpc.ts'
import { elementOf, type ServerWord } from './server-words.ts'

/**
 * One message of the client and what the server says after it: the answer, progress, its own requests, and whatever comes
 * unasked before the client's next message.
 */
export class Conversation {
  readonly message: Message
  /** Under which the message is recorded. */
  readonly name: string
  /** Where what comes live is recorded; undefined: it is replayed, or no test records it. */
  sink: ElementSink | undefined
  /** The message went to a live server. */
  isLive = false
  readonly #context = new AsyncResource('turntape.mcp')
  #inOneGo: ServerWord[] = []
  readonly #reached = new Map<string, { readonly promise: Promise<void>; readonly resolve: () => void }>()

  constructor(message: Message, name: string) {
    this.message = message
    this.name = name
  }

  get progressToken(): unknown {
    return progressToken(this.message)
  }

  /** Records a message of the live server, together with what it says in the same breath. */
  heard(word: ServerWord): void {
    // Before the client is told, so that the call has ended when its caller goes on.
    if (this.#inOneGo.length === 0) void Promise.resolve().then(() => this.#keep())
    this.#inOneGo.push(word)
  }

  /** Records what happened between messages. */
  noted(word: ServerWord): void {
    this.#keep()
    this.sink?.push(elementOf([word]))
  }

  /** Nothing more comes. */
  end(): void {
    this.#keep()
    this.sink?.end()
  }

  /** Runs what the client does about it in the context of the caller, whoever brought the news. */
  run(fn: () => void): void {
    this.#context.runInAsyncScope(fn)
  }

  /** The client has come to this point: it answered request n of the server, or gave the message up. */
  reach(point: string): void {
    this.#point(point).resolve()
  }

  /** Settles when the client is at this point. */
  reached(point: string): Promise<void> {
    return this.#point(point).promise
  }

  #keep(): void {
    const words = this.#inOneGo
    this.#inOneGo = []
    if (words.length > 0) this.sink?.push(elementOf(words))
  }

  #point(name: string): { readonly promise: Promise<void>; readonly resolve: () => void } {
    const known = this.#reached.get(name)
    if (known !== undefined) return known
    let resolve = (): void => {}
    const promise = new Promise<void>((done) => {
      resolve = done
    })
    const point = { promise, resolve }
    this.#reached.set(name, point)
    return point
  }
}
