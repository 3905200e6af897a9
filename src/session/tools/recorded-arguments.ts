import { isObject, memberOf } from './members.ts'
import type { ToolCall } from './tool-call.ts'

/**
 * What counts of a plain function's arguments: all but abort signals, options left empty without them, and what the AI
 * SDK passes beside the input (call id, messages, signal). Anything else that is not JSON stays, to be refused by name.
 */
export function recordedArguments(args: readonly unknown[]): Pick<ToolCall, 'input' | 'callId'> {
  const callId = aiSdkCallId(args[1])
  if (callId !== undefined) return { input: [args[0]], callId }
  const kept = args.map(withoutSignal)
  while (kept.length > 0 && kept.at(-1) === undefined) kept.pop()
  // A signal before other arguments keeps its place, or they would change theirs.
  return { input: kept.map((value, at) => (value === undefined && args[at] !== undefined ? null : value)) }
}

/** The call id of the options that the AI SDK passes to `execute`. */
export function aiSdkCallId(options: unknown): string | undefined {
  const callId = memberOf(options, 'toolCallId')
  return typeof callId === 'string' && Array.isArray(memberOf(options, 'messages')) ? callId : undefined
}

/** Undefined for a signal, and for an object that holds nothing else. */
function withoutSignal(value: unknown): unknown {
  if (isSignal(value)) return undefined
  if (!isObject(value) || Array.isArray(value)) return value
  const entries = Object.entries(value)
  const others = entries.filter(([, member]) => !isSignal(member))
  if (others.length === entries.length) return value
  return others.every(([, member]) => member === undefined) ? undefined : Object.fromEntries(others)
}

/** By form: jsdom and other realms have a class of their own. */
function isSignal(value: unknown): boolean {
  return typeof memberOf(value, 'aborted') === 'boolean' && typeof memberOf(value, 'addEventListener') === 'function'
}
