/**
 * What a server said, as the elements of a recorded call (F4): its messages without what client or server count, and
 * marks of what happened in between.
 *
 * | element | |
 * | --- | --- |
 * | `{"result":…}`, `{"error":…}` | the answer |
 * | `{"method":…,"params":…}` | a notification |
 * | `{"id":1,"method":…,"params":…}` | request 1 of the server |
 * | `{"answered":1}` | here the client had answered it |
 * | `{"cancelled":true}` | here the client gave the call up |
 * | `{"failed":<failure>}` | the transport reported an error |
 * | `{"closed":true}` | the connection was closed from the other side |
 * | `{"together":[…]}` | messages that came in one go: a client handles them otherwise than one after the other |
 */
import type { Failure, Json, ValueResult } from '../core/cassette/document.ts'
import { type Message, plain, withParameters } from './json-rpc.ts'

export type ServerWord =
  | { readonly kind: 'answer'; readonly answer: Message }
  | { readonly kind: 'notification'; readonly message: Message }
  | { readonly kind: 'request'; readonly number: number; readonly message: Message }
  | { readonly kind: 'answered'; readonly number: number }
  | { readonly kind: 'cancelled' }
  | { readonly kind: 'failed'; readonly failure: Failure }
  | { readonly kind: 'closed' }

/** What was said in one go, as it is recorded. */
export function elementOf(words: readonly ServerWord[]): Message {
  const [first, ...more] = words.map(partOf)
  return plain(more.length === 0 ? first : { together: [first, ...more] }) as Message
}

function partOf(word: ServerWord): Message {
  switch (word.kind) {
    case 'answer': {
      const { jsonrpc: _version, id: _id, ...answer } = word.answer
      return answer
    }
    case 'notification': {
      const { jsonrpc: _version, ...message } = word.message
      return message.method === 'notifications/progress'
        ? withParameters(message, { progressToken: undefined })
        : message
    }
    case 'request': {
      const { jsonrpc: _version, id: _id, ...message } = word.message
      return { id: word.number, ...message }
    }
    case 'answered':
      return { answered: word.number }
    case 'cancelled':
      return { cancelled: true }
    case 'failed':
      return { failed: word.failure }
    case 'closed':
      return { closed: true }
  }
}

/** The inverse of `elementOf`. */
export function wordsOf(element: Message): readonly ServerWord[] {
  return Array.isArray(element.together) ? element.together.map((part: Message) => wordOf(part)) : [wordOf(element)]
}

// What is none of them (a hand-made element) counts as an answer, for the client to judge.
function wordOf(element: Message): ServerWord {
  if (typeof element.method === 'string')
    return typeof element.id === 'number'
      ? { kind: 'request', number: element.id, message: element }
      : { kind: 'notification', message: element }
  if (typeof element.answered === 'number') return { kind: 'answered', number: element.answered }
  if (element.cancelled === true) return { kind: 'cancelled' }
  if (element.closed === true) return { kind: 'closed' }
  if (typeof element.failed === 'object') return { kind: 'failed', failure: element.failed as Failure }
  return { kind: 'answer', answer: element }
}

/** True for the element with which a request is over: answered, given up, or cut off. */
export function endsCall(element: Json | undefined): boolean {
  if (typeof element !== 'object' || element === null || 'method' in element) return false
  if ('together' in element) return (element.together as readonly Json[]).some(endsCall)
  return ['result', 'error', 'cancelled', 'closed'].some((name) => name in element)
}

/** A result alone is a value, as a tool's, and nothing at all is nothing. */
export function plainly(elements: readonly Json[]): ValueResult | undefined {
  const [first, ...more] = elements
  if (first === undefined) return { undefined: true }
  if (more.length > 0 || typeof first !== 'object' || first === null || !('result' in first)) return undefined
  return { value: (first as { readonly result: Json }).result }
}
