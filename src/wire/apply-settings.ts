import type { Json } from '../core/cassette/document.ts'
import type { Wire } from './block.ts'
import { type JsonObject, listOf, objectOf } from './read-json.ts'

interface SettingPlaces {
  /** Members that hold instructions and tools, in every spelling. */
  readonly members: readonly string[]
  /** The conversation; among its messages are instructions where a role says so. */
  readonly conversation: string
}

const places: Readonly<Record<Wire, SettingPlaces>> = {
  'openai-chat': { members: ['tools', 'functions'], conversation: 'messages' },
  'openai-responses': { members: ['instructions', 'tools'], conversation: 'input' },
  'anthropic-messages': { members: ['system', 'tools'], conversation: 'messages' },
  gemini: { members: ['systemInstruction', 'system_instruction', 'tools'], conversation: 'contents' },
  'bedrock-converse': { members: ['system', 'toolConfig'], conversation: 'messages' },
  cohere: { members: ['tools'], conversation: 'messages' },
  ollama: { members: ['tools'], conversation: 'messages' },
}

export interface SettingsToApply {
  readonly wire: Wire
  /** A request body as the wire has it. */
  readonly request: Json
  /** The request whose instructions and tools it gets. */
  readonly recorded: Json
}

/**
 * The request with the instructions and tools of `recorded`; all else as it was. The very same request where it is none
 * of this wire. Instructions among the messages are replaced one for one; those that are more go in front.
 */
export function applySettings({ wire, request, recorded }: SettingsToApply): Json {
  const { members, conversation } = places[wire]
  const [own, from] = [objectOf(request), objectOf(recorded)]
  if (own === undefined || from === undefined || own[conversation] === undefined) return request
  const kept = Object.entries(own).filter(([name]) => !members.includes(name) || from[name] !== undefined)
  const taken = members.flatMap((name) => (from[name] === undefined ? [] : [[name, from[name]] as const]))
  const applied: JsonObject = { ...Object.fromEntries(kept), ...Object.fromEntries(taken) }
  const messages = own[conversation]
  if (!Array.isArray(messages)) return applied
  return { ...applied, [conversation]: withInstructions(messages, listOf(from[conversation])) }
}

function withInstructions(messages: readonly Json[], recorded: readonly Json[]): readonly Json[] {
  const wanted = recorded.filter(isInstruction)
  const present = messages.filter(isInstruction).length
  const extra = Math.max(0, wanted.length - present)
  const inPlace = wanted.slice(extra)
  let index = 0
  const replaced = messages.flatMap((message) => {
    if (!isInstruction(message)) return [message]
    const instead = inPlace[index]
    index += 1
    return instead === undefined ? [] : [instead]
  })
  return [...wanted.slice(0, extra), ...replaced]
}

function isInstruction(message: Json): boolean {
  const role = objectOf(message)?.role
  return role === 'system' || role === 'developer'
}
