import { makeSettings, offeredTool, type SettingNames } from '../make-settings.ts'
import { messageText } from '../message-text.ts'
import { filledOf, type JsonObject, objectOf, objectsOf, withoutMembers, withoutUndefined } from '../read-json.ts'
import type { OfferedTool, RequestReader, SentToolResult } from '../request-reader.ts'

/** Gemini names the model in the path; the SDKs write its members in camel case, others in snake case. */
export const geminiRequest: RequestReader = {
  toolResults(request) {
    const parts = objectsOf(request.contents).flatMap((content) => objectsOf(content.parts))
    return parts.flatMap((part) => {
      const result = objectOf(part.functionResponse ?? part.function_response)
      if (result === undefined) return []
      const output = result.response ?? null
      return [withoutUndefined<SentToolResult>({ id: filledOf(result.id), name: filledOf(result.name), output })]
    })
  },
  settings(request) {
    const system = request.systemInstruction ?? request.system_instruction
    const text = typeof system === 'string' ? system : messageText(objectOf(system)?.parts)
    const tools = objectsOf(request.tools).flatMap(readTools)
    const config = objectOf(request.generationConfig ?? request.generation_config) ?? {}
    const flat = { ...withoutMembers(request, ['generationConfig', 'generation_config']), ...config }
    return makeSettings({ request: flat, names, instructions: text === '' ? [] : [text], tools })
  },
}

const names: SettingNames = {
  temperature: ['temperature'],
  topP: ['topP', 'top_p'],
  maxOutputTokens: ['maxOutputTokens', 'max_output_tokens'],
  stopSequences: ['stopSequences', 'stop_sequences'],
  toolChoice: ['toolConfig', 'tool_config'],
  responseFormat: ['responseJsonSchema', 'responseSchema', 'response_schema'],
  reasoning: ['thinkingConfig', 'thinking_config'],
  apart: ['contents', 'systemInstruction', 'system_instruction', 'tools'],
}

/** One entry holds many functions, or is a tool of Gemini's own: `{"googleSearch": {}}`. */
function readTools(entry: JsonObject): readonly OfferedTool[] {
  const declared = objectsOf(entry.functionDeclarations ?? entry.function_declarations)
  const own = Object.keys(withoutMembers(entry, ['functionDeclarations', 'function_declarations']))
  return [
    ...declared.map((tool) =>
      offeredTool(tool, { raw: tool, parameters: tool.parametersJsonSchema ?? tool.parameters }),
    ),
    ...own.map((name) => ({ name, raw: entry })),
  ]
}
