/** The messages of MCP, which are JSON-RPC 2.0, looked at without a schema: whatever a version adds passes through. */

/** One message, in either direction. */
export type Message = Readonly<Record<string, unknown>>

/** A method to be answered under its id. */
export function isRequest(message: Message): boolean {
  return typeof message.method === 'string' && message.id !== undefined
}

/** The result or error of a request. */
export function isAnswer(message: Message): boolean {
  return typeof message.method !== 'string'
}

/** A member of the message's `params`; undefined where there is none. */
export function parameter(message: Message, name: string): unknown {
  return recordOf(message.params)[name]
}

/** The name under which the sender of a request wants to be told of its progress. */
export function progressToken(message: Message): unknown {
  return recordOf(parameter(message, '_meta')).progressToken
}

/** The message with other values for these members of its `params`; undefined takes one away. */
export function withParameters(message: Message, changed: Message): Message {
  const params = { ...recordOf(message.params), ...changed }
  return { ...message, params: Object.fromEntries(Object.entries(params).filter(([, value]) => value !== undefined)) }
}

export function recordOf(value: unknown): Message {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Message) : {}
}

/** As it goes over the wire, a copy: without members that are undefined. */
export function plain(value: unknown): unknown {
  return value === undefined ? undefined : JSON.parse(JSON.stringify(value))
}
