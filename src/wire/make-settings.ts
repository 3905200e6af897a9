import type { Json } from '../core/cassette/document.ts'
import { filledOf, type JsonObject, listOf, numberOf, stringOf, withoutMembers, withoutUndefined } from './read-json.ts'
import type { OfferedTool, Settings } from './request-reader.ts'

/** Which of a request's members has which common name; each may be spelled in several ways. */
export interface SettingNames {
  readonly temperature: readonly string[]
  readonly topP: readonly string[]
  readonly maxOutputTokens: readonly string[]
  readonly stopSequences: readonly string[]
  readonly toolChoice: readonly string[]
  readonly responseFormat: readonly string[]
  readonly reasoning: readonly string[]
  /** The conversation, and what is read apart from this table. */
  readonly apart: readonly string[]
}

interface SettingsSource {
  readonly request: JsonObject
  readonly names: SettingNames
  readonly instructions: readonly string[]
  readonly tools: readonly OfferedTool[]
}

export function makeSettings({ request, names, instructions, tools }: SettingsSource): Settings {
  const sentAs = (spellings: readonly string[]): Json | undefined =>
    spellings.map((name) => request[name]).find((value) => value !== undefined && value !== null)
  const stop = sentAs(names.stopSequences)
  const stopSequences = typeof stop === 'string' ? [stop] : listOf(stop).flatMap((text) => stringOf(text) ?? [])
  return withoutUndefined<Settings>({
    model: filledOf(request.model),
    instructions: instructions.length === 0 ? undefined : instructions.join('\n\n'),
    tools,
    toolChoice: sentAs(names.toolChoice),
    temperature: numberOf(sentAs(names.temperature)),
    topP: numberOf(sentAs(names.topP)),
    maxOutputTokens: numberOf(sentAs(names.maxOutputTokens)),
    stopSequences: stopSequences.length === 0 ? undefined : stopSequences,
    responseFormat: sentAs(names.responseFormat),
    reasoning: sentAs(names.reasoning),
    others: withoutMembers(request, ['model', ...Object.values(names).flat()]),
  })
}

/** A tool from the object that holds its name; provider-run tools have a type alone. */
export function offeredTool(
  held: JsonObject,
  { raw, parameters }: { readonly raw: JsonObject; readonly parameters: Json | undefined },
): OfferedTool {
  return withoutUndefined<OfferedTool>({
    name: filledOf(held.name) ?? stringOf(raw.type) ?? '',
    description: filledOf(held.description),
    parameters,
    raw,
  })
}
