/**
 * The transport that a client gets. Each message of the client is a recorded call, decided by the session as any other:
 * served from the cassette, or sent to the live side and kept with what the server says. What a server says belongs to the
 * message whose id or progress token it carries, else to the client's last one; in a replay it comes in the same order, and
 * where the client had answered the server it waits for that answer. Owns ids and places; what is compared is
 * `stored-message.ts`, and whether a call runs is the session's business.
 */
import { captureFailure } from '../recording/capture-failure.ts'
import { buildFailure, type ErrorRealm } from '../replaying/build-failure.ts'
import { attribute } from '../session/calls/call-router.ts'
import { callValue } from '../session/calls/call-value.ts'
import { isAsyncIterable } from '../session/calls/record-value.ts'
import { sessionOfCall } from '../session/calls/session-of-call.ts'
import type { ValueCall } from '../session/calls/value-call.ts'
import type { TapeSession } from '../session/tape-session.ts'
import { workerState } from '../session/worker-state.ts'
import { Conversation } from './conversation.ts'
import { isAnswer, isRequest, type Message, parameter, withParameters } from './json-rpc.ts'
import { LiveSide } from './live-side.ts'
import { ServerRequests } from './server-requests.ts'
import { endsCall, plainly, type ServerWord, wordsOf } from './server-words.ts'
import { type StoredMessage, storedAnswer, storedMessage } from './stored-message.ts'
import type { LooseTransport } from './transport.ts'

interface Deciding {
  readonly stored: StoredMessage
  readonly conversation: Conversation
  readonly send: () => Promise<void>
}

/** What a live server is told first, where the client had told it to a recorded one. */
const beginnings = new Set(['initialize', 'notifications/initialized', 'logging/setLevel', 'resources/subscribe'])

export class TransportRecorder implements LooseTransport {
  onclose: LooseTransport['onclose']
  onerror: LooseTransport['onerror']
  onmessage: LooseTransport['onmessage']
  readonly #server: string
  readonly #live: LiveSide
  /** Requests of the client without an answer so far, by the client's id. */
  readonly #open = new Map<unknown, Conversation>()
  readonly #asked = new ServerRequests()
  readonly #beginning: Message[] = []
  #last: Conversation | undefined
  #isClosed = false

  constructor(server: string, make: () => LooseTransport) {
    this.#server = server
    this.#live = new LiveSide(make, {
      message: (message, extra) => this.#receive(message, extra),
      error: (error) => this.#fail(error),
      closed: () => this.#lose(),
    })
  }

  get sessionId(): string | undefined {
    return this.#live.sessionId
  }

  setProtocolVersion(version: string): void {
    this.#live.setProtocolVersion(version)
  }

  async start(): Promise<void> {
    this.#isClosed = false
    // In a test that is recorded or replayed the first message decides.
    if (attribute().kind === 'none') await this.#live.open()
  }

  async send(message: object, options?: unknown): Promise<void> {
    const sent = message as Message
    await (isAnswer(sent) ? this.#sendAnswer(sent, options) : this.#sendMessage(sent, options))
  }

  async close(): Promise<void> {
    const wasClosed = this.#isClosed
    this.#isClosed = true
    await this.#live.close()
    if (!wasClosed) this.#end()
  }

  async #sendMessage(message: Message, options: unknown): Promise<void> {
    const cancelled = message.method === 'notifications/cancelled' ? this.#cancel(message) : undefined
    const stored = storedMessage(this.#server, message, cancelled?.name)
    const conversation = new Conversation(message, stored.name)
    if (isRequest(message)) this.#open.set(message.id, conversation)
    this.#last = conversation
    const session = sessionOf(stored)
    if (session === undefined) return this.#sendLive(conversation, options)
    const isForLive = cancelled?.isLive !== false
    const send = (): Promise<void> => (isForLive ? this.#sendLive(conversation, options) : Promise.resolve())
    const { sent, given } = this.#decide(session, { stored, conversation, send })
    if (sent !== undefined) return sent
    if (this.#live.isOpen && !isRequest(message) && isForLive) {
      // The recording knows it, but a part of this run is live, and that server must hear of it too.
      await this.#live.send(message, options)
    } else if (beginnings.has(String(message.method))) this.#beginning.push(message)
    await this.#serve(conversation, given, session.context.realm)
  }

  /** `sent`: it went live. Else `given` is what the cassette has. */
  #decide(session: TapeSession, { stored, conversation, send }: Deciding): { sent?: Promise<void>; given?: unknown } {
    const { message } = conversation
    let sent: Promise<void> | undefined
    const call: Omit<ValueCall, 'lane'> = {
      ...stored,
      live: () => {
        sent = send()
      },
      pushed: {
        live: (sink) => {
          conversation.sink = sink
          // What the client says on account of a live call is not what it said then.
          if (isRequest(message)) session.context.liveLanes.add(this.#ownLane())
          sent = send()
        },
        isAnswered: isRequest(message) ? endsCall : () => true,
        plainly,
      },
    }
    const given = this.#inLane(message, () => callValue(session, call))
    return sent === undefined ? { given } : { sent }
  }

  async #sendLive(conversation: Conversation, options: unknown): Promise<void> {
    conversation.isLive = true
    try {
      await this.#live.open(conversation.message.method === 'initialize' ? [] : this.#beginning)
      await this.#live.send(conversation.message, options)
    } catch (error) {
      conversation.sink?.fail(error)
      throw error
    }
  }

  async #sendAnswer(message: Message, options: unknown): Promise<void> {
    const asked = this.#asked.take(message.id)
    // Of a server that asked before its client said anything.
    if (asked === undefined) return this.#live.send(message, options)
    const { conversation, number = message.id as number, liveId } = asked
    try {
      const stored = storedAnswer(this.#server, asked.message, message)
      const session = sessionOf(stored)
      if (session !== undefined) this.#inLane(message, () => callValue(session, { ...stored, live: () => undefined }))
    } finally {
      // Right or wrong, it was given: what follows it in the recording is due, and the verdict is the test's.
      conversation.noted({ kind: 'answered', number })
      conversation.reach(`answered ${number}`)
    }
    if (liveId !== undefined) await this.#live.send({ ...message, id: liveId }, options)
  }

  /** What a client says by itself, beside its requests, has a lane of its own: a request may be under way. */
  #inLane<R>(message: Message, fn: () => R): R {
    return isRequest(message) ? fn() : workerState().lanes.run(this.#ownLane(), fn)
  }

  #ownLane(): string {
    const [lane, own] = [workerState().lanes.getStore(), `mcp ${this.#server}`]
    return lane === undefined ? own : `${lane}, ${own}`
  }

  #cancel(message: Message): Conversation | undefined {
    const conversation = this.#open.get(parameter(message, 'requestId'))
    conversation?.noted({ kind: 'cancelled' })
    conversation?.reach('cancelled')
    return conversation
  }

  /** A message of the live server. */
  #receive(message: Message, extra: unknown): void {
    const conversation = this.#conversationOf(message)
    const { word, told } = this.#liveWord(message, conversation)
    conversation?.heard(word)
    const tell = (): void => this.onmessage?.(told, extra)
    if (conversation === undefined) tell()
    else conversation.run(tell)
  }

  #conversationOf(message: Message): Conversation | undefined {
    if (isAnswer(message)) return this.#open.get(message.id)
    const token = parameter(message, 'progressToken')
    if (message.method !== 'notifications/progress' || token === undefined) return this.#last
    return [...this.#open.values()].find(({ progressToken }) => progressToken === token) ?? this.#last
  }

  /** How it is recorded, and what the client is told: requests of the server get ids that this side counts. */
  #liveWord(message: Message, conversation: Conversation | undefined): { word: ServerWord; told: Message } {
    if (isAnswer(message)) {
      this.#open.delete(message.id)
      return { word: { kind: 'answer', answer: message }, told: message }
    }
    if (!isRequest(message)) {
      const told = this.#asked.renamed(message, (id, { liveId }) => liveId === id)
      return { word: { kind: 'notification', message: told }, told }
    }
    if (conversation === undefined) return { word: { kind: 'request', number: 0, message }, told: message }
    const number = this.#asked.add({ conversation, message, liveId: message.id })
    return { word: { kind: 'request', number, message }, told: { ...message, id: number } }
  }

  async #serve(conversation: Conversation, given: unknown, realm: ErrorRealm): Promise<void> {
    if (!isAsyncIterable(given)) {
      const result = await given
      if (result !== undefined) await this.#replay(conversation, { kind: 'answer', answer: { result } }, realm)
      return
    }
    for await (const element of given) {
      if (this.#isClosed) return
      // What came in one go comes in one go.
      await Promise.all(wordsOf(element as Message).map((word) => this.#replay(conversation, word, realm)))
    }
  }

  async #replay(conversation: Conversation, word: ServerWord, realm: ErrorRealm): Promise<void> {
    const { message: sent } = conversation
    const tell = (message: Message): void => {
      if (!this.#isClosed) this.onmessage?.({ jsonrpc: '2.0', ...message })
    }
    switch (word.kind) {
      case 'answer':
        this.#open.delete(sent.id)
        return tell({ id: sent.id, ...word.answer })
      case 'notification': {
        const { progressToken } = conversation
        if (word.message.method !== 'notifications/progress')
          return tell(
            this.#asked.renamed(
              word.message,
              (id, asked) => asked.number === id && asked.conversation === conversation,
            ),
          )
        // Without a token the client did not ask to be told.
        return progressToken === undefined ? undefined : tell(withParameters(word.message, { progressToken }))
      }
      case 'request': {
        const { message, number } = word
        return tell({ ...message, id: this.#asked.add({ conversation, message, number }) })
      }
      case 'answered':
        return conversation.reached(`answered ${word.number}`)
      case 'cancelled':
        return conversation.reached('cancelled')
      case 'failed':
        return this.onerror?.(buildFailure(word.failure, realm) as Error)
      case 'closed':
        return this.#end()
    }
  }

  #fail(error: Error): void {
    this.#last?.noted({ kind: 'failed', failure: captureFailure(error, 'value') })
    const tell = (): void => this.onerror?.(error)
    if (this.#last === undefined) tell()
    else this.#last.run(tell)
  }

  /** The live connection is gone; where the client closed it, `close` goes on from there. */
  #lose(): void {
    if (this.#isClosed) return
    const last = this.#last
    last?.noted({ kind: 'closed' })
    if (last === undefined) this.#end()
    else last.run(() => this.#end())
  }

  #end(): void {
    this.#isClosed = true
    for (const conversation of this.#open.values()) conversation.end()
    this.#last?.end()
    this.#open.clear()
    this.#asked.clear()
    this.#beginning.length = 0
    this.#last = undefined
    this.onclose?.()
  }
}

function sessionOf({ kind, name }: StoredMessage): TapeSession | undefined {
  return sessionOfCall({ call: `${kind} ${name}`, outside: 'is refused' })
}
