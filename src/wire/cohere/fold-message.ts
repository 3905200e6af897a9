/** A message of Cohere's, put together from its deltas to the message that a call without streaming returns. */
import type { Json } from '../../core/cassette/document.ts'
import { type JsonObject, listOf, numberOf, objectOf, stringOf } from '../read-json.ts'

/** An event that starts a part of the content or a tool call. */
export function openPart(message: JsonObject, event: JsonObject): JsonObject {
  const delta = messageOf(event)
  const opened = ['content', 'tool_calls'].flatMap((name) => {
    const part = objectOf(delta[name])
    return part === undefined ? [] : [[name, [...listOf(message[name]), numbered(part, event)]] as const]
  })
  return { ...message, ...Object.fromEntries(opened) }
}

/** An event that goes on with what its members name. */
export function foldMessage(message: JsonObject, event: JsonObject): JsonObject {
  const members = Object.entries(messageOf(event)).map(
    ([name, value]) => [name, foldMember({ name, before: message[name], value, event })] as const,
  )
  return { ...message, ...Object.fromEntries(members) }
}

function messageOf(event: JsonObject): JsonObject {
  return objectOf(objectOf(event.delta)?.message) ?? {}
}

function numbered(part: JsonObject, event: JsonObject): JsonObject {
  const index = numberOf(event.index)
  return index === undefined ? part : { ...part, index }
}

interface MemberDelta {
  readonly name: string
  readonly before: Json | undefined
  readonly value: Json
  readonly event: JsonObject
}

/** Parts and calls are numbered apart; citations have numbers of their own, and come whole. */
function foldMember({ name, before, value, event }: MemberDelta): Json {
  switch (name) {
    case 'content':
    case 'tool_calls':
      return foldParts(listOf(before), { value, event })
    case 'citations':
      return [...listOf(before), ...(Array.isArray(value) ? listOf(value) : [value])]
    case 'tool_plan':
      return joined(before, value)
    default:
      return value
  }
}

/** Version 1 gives its calls whole, in a list. */
function foldParts(
  parts: readonly Json[],
  { value, event }: { readonly value: Json; readonly event: JsonObject },
): readonly Json[] {
  const part = objectOf(value)
  if (part === undefined) return [...parts, ...listOf(value)]
  const at = parts.findLastIndex((found) => objectOf(found)?.index === numberOf(event.index))
  const open = objectOf(parts[at]) ?? {}
  return at < 0 ? [...parts, numbered(part, event)] : parts.with(at, foldMembers(open, part))
}

const growing: ReadonlySet<string> = new Set(['text', 'thinking', 'arguments'])

function foldMembers(before: JsonObject, part: JsonObject): JsonObject {
  const members = Object.entries(part).map(([name, value]): [string, Json] => {
    if (growing.has(name)) return [name, joined(before[name], value)]
    const named = name === 'function' ? objectOf(value) : undefined
    return [name, named === undefined ? value : foldMembers(objectOf(before[name]) ?? {}, named)]
  })
  return { ...before, ...Object.fromEntries(members) }
}

function joined(before: Json | undefined, value: Json): Json {
  return typeof value === 'string' ? (stringOf(before) ?? '') + value : value
}
