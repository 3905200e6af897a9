/**
 * A client's message as it is recorded and compared. Left out is what a client counts (ids, progress tokens) and what
 * names its version at the start: an update of the SDK is no change of what is asked.
 */
import { type Message, parameter, plain, recordOf, withParameters } from './json-rpc.ts'

export interface StoredMessage {
  readonly kind: 'tool' | 'call'
  readonly name: string
  /** Plain JSON. */
  readonly input: unknown
}

/** A request or notification of the client. `cancelled`: the name of the request that `notifications/cancelled` gives up. */
export function storedMessage(server: string, message: Message, cancelled?: string): StoredMessage {
  const { method } = message
  if (method === 'tools/call') return storedToolCall(server, message)
  const name = `mcp ${server}: ${String(method)}`
  return { kind: 'call', name, input: plain(storedParameters(message, cancelled)) }
}

/** The client's answer to a request of the server. */
export function storedAnswer(server: string, asked: Message, { result, error }: Message): StoredMessage {
  const input = error === undefined ? { result } : { error }
  return { kind: 'call', name: `mcp ${server}: answer to ${String(asked.method)}`, input: plain(input) }
}

/** As `tape.tools` records it: the list of its arguments, here with what else was sent, if anything was. */
function storedToolCall(server: string, message: Message): StoredMessage {
  const { name, arguments: given, ...others } = comparedParameters(message)
  const rest = plain(others)
  const input = [plain(given) ?? {}, ...(Object.keys(recordOf(rest)).length === 0 ? [] : [rest])]
  return { kind: 'tool', name: `${server}.${String(name)}`, input }
}

function storedParameters(message: Message, cancelled: string | undefined): Message {
  const params = comparedParameters(message)
  switch (message.method) {
    case 'initialize': {
      const { protocolVersion: _version, clientInfo: _info, ...counts } = params
      return counts
    }
    case 'notifications/cancelled':
      return { ...params, requestId: cancelled }
    default:
      return params
  }
}

/** Members of `_meta` that are no part of what is asked. The later ones: since 2026 a request says what `initialize` said. */
const leftOut = new Set([
  'progressToken',
  'io.modelcontextprotocol/protocolVersion',
  'io.modelcontextprotocol/clientInfo',
])

/** The params that count; without `_meta` where nothing is left of it. */
function comparedParameters(message: Message): Message {
  const meta = Object.entries(recordOf(parameter(message, '_meta')))
  const kept = meta.filter(([name]) => !leftOut.has(name))
  const changed = kept.length === meta.length ? {} : { _meta: kept.length === 0 ? undefined : Object.fromEntries(kept) }
  return recordOf(withParameters(message, changed).params)
}
