/**
 * The real transport, made and started at the first message that goes live: in a replay never. A server that is met in the
 * middle of a session is first told what began it. What the transport does is part of the calls above it, so that HTTP
 * beneath is not recorded on its own. Knows nothing of recordings.
 */
import { runNested } from '../session/calls/nested.ts'
import { isAnswer, isRequest, type Message } from './json-rpc.ts'
import type { LooseTransport } from './transport.ts'

export interface LiveEvents {
  readonly message: (message: Message, extra: unknown) => void
  readonly error: (error: Error) => void
  readonly closed: () => void
}

interface Opening {
  readonly transport: LooseTransport
  readonly ready: Promise<void>
}

export class LiveSide {
  readonly #make: () => LooseTransport
  readonly #events: LiveEvents
  #opening: Opening | undefined
  #protocolVersion: string | undefined
  /** Our own requests that are not answered yet, by id. */
  readonly #own = new Map<unknown, (answer: Message) => void>()

  constructor(make: () => LooseTransport, events: LiveEvents) {
    this.#make = make
    this.#events = events
  }

  get isOpen(): boolean {
    return this.#opening !== undefined
  }

  get sessionId(): string | undefined {
    return this.#opening?.transport.sessionId
  }

  /** Makes and starts the transport, once. `beginning`: what the server of this session was told before. */
  open(beginning: readonly Message[] = []): Promise<void> {
    this.#opening ??= runNested(() => this.#start(beginning))
    return this.#opening.ready
  }

  async send(message: object, options: unknown): Promise<void> {
    const opening = this.#opening
    await opening?.ready
    await runNested(() => opening?.transport.send(message, options))
  }

  setProtocolVersion(version: string): void {
    this.#protocolVersion = version
    this.#opening?.transport.setProtocolVersion?.(version)
  }

  async close(): Promise<void> {
    const opening = this.#opening
    if (opening === undefined) return
    // One that did not start has nothing to close, and has said why.
    await opening.ready.catch(() => {})
    await runNested(() => opening.transport.close())
    this.#opening = undefined
  }

  #start(beginning: readonly Message[]): Opening {
    const transport = this.#make()
    transport.onmessage = (message, extra) => this.#received(message as Message, extra)
    transport.onerror = (error) => this.#events.error(error)
    transport.onclose = () => {
      // Nobody answers any more: what is sent next says so.
      for (const give of this.#own.values()) give({})
      this.#events.closed()
    }
    return { transport, ready: this.#begin(transport, beginning) }
  }

  async #begin(transport: LooseTransport, beginning: readonly Message[]): Promise<void> {
    await transport.start()
    for (const message of beginning) {
      if (!isRequest(message)) {
        await transport.send(message)
        continue
      }
      const id = `turntape-${this.#own.size + 1}`
      const answered = new Promise<Message>((resolve) => this.#own.set(id, resolve))
      await transport.send({ ...message, id })
      await answered
      this.#own.delete(id)
      if (this.#protocolVersion !== undefined) transport.setProtocolVersion?.(this.#protocolVersion)
    }
  }

  #received(message: Message, extra: unknown): void {
    const own = isAnswer(message) ? this.#own.get(message.id) : undefined
    if (own === undefined) this.#events.message(message, extra)
    else own(message)
  }
}
