/** Stands in for the agent of one request: Node hands the request to it, and it keeps it until somebody decides. */
import type { Agent, ClientRequest, RequestOptions } from 'node:http'
import { nextTick } from '../next-tick.ts'
import { decidedConnection } from '../sockets/socket-guard.ts'
import type { Scheme } from './request-call.ts'

/** What `ClientRequest` asks of an agent: in no documentation, and what agents for proxies rest on. */
interface AgentLike {
  addRequest(request: ClientRequest, options: AgentOptions): void
  readonly options?: { readonly timeout?: number }
}

type AgentOptions = Record<string | symbol, unknown>

interface KeptRequest {
  readonly request: ClientRequest
  /** Gives it to the agent it was made for, which finds it as without us. Call it once. Failures reach the request. */
  readonly send: () => void
  /** Of the request or of its agent: how long a connection may be silent. */
  readonly timeoutMs: number | undefined
}

/** Undefined: there is no such agent, as Node is about to say. */
export function holdingAgent(setup: {
  readonly options: RequestOptions
  readonly scheme: Scheme
  readonly defaultAgent: Agent
  readonly onRequest: (kept: KeptRequest) => void
}): object | undefined {
  const { options, scheme, onRequest } = setup
  const agent = agentOf(options, setup.defaultAgent)
  if (agent === 'none given') return undefined
  const addRequest = (request: ClientRequest, given: AgentOptions): void => {
    Object.assign(request, { agent })
    if ('agent' in options) given.agent = options.agent
    else delete given.agent
    // Agents that are not Node's look for the scheme in the call stack, which is another when they are asked later.
    given.protocol ??= options.protocol ?? scheme
    given[decidedConnection] = true
    const send = (): void => {
      try {
        if (agent === undefined) connect(request, given)
        else agent.addRequest(request, given)
      } catch (error) {
        request.onSocket(...noSocket(error))
      }
    }
    const { timeout } = request as { readonly timeout?: number }
    onRequest({ request, send, timeoutMs: timeout ?? agent?.options?.timeout })
  }
  if (agent === undefined) return { addRequest }
  // From the agent itself, which may have private members.
  return new Proxy(agent, {
    get: (target, name) => (name === 'addRequest' ? addRequest : Reflect.get(target, name, target)),
  })
}

/** Node's own choice. Undefined: a connection of the caller's own making. */
function agentOf(options: RequestOptions, fallback: Agent): AgentLike | undefined | 'none given' {
  const { agent } = options as { readonly agent?: unknown }
  const standard = (options._defaultAgent ?? fallback) as Agent & { constructor: new () => Agent }
  if (agent === false) return new standard.constructor() as unknown as AgentLike
  if (agent === undefined || agent === null) {
    return typeof options.createConnection === 'function' ? undefined : (standard as unknown as AgentLike)
  }
  return typeof (agent as AgentLike).addRequest === 'function' ? (agent as AgentLike) : 'none given'
}

/** As `ClientRequest` does it where it has no agent. */
function connect(request: ClientRequest, given: AgentOptions): void {
  const createConnection = given.createConnection as (
    options: AgentOptions,
    onCreate: (error: unknown, socket?: unknown) => void,
  ) => unknown
  let isCreated = false
  const onCreate = (error: unknown, socket?: unknown): void => {
    if (isCreated) return
    isCreated = true
    if (error) nextTick(() => request.emit('error', error))
    else request.onSocket(socket as never)
  }
  const socket = createConnection({ ...given, path: undefined }, onCreate)
  if (socket) onCreate(null, socket)
}

/** The second argument, of Node's own: there is no connection, and this is why. */
export function noSocket(error?: unknown): Parameters<ClientRequest['onSocket']> {
  return [undefined, error] as unknown as Parameters<ClientRequest['onSocket']>
}
