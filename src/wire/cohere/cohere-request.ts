import type { Json } from '../../core/cassette/document.ts'
import { makeSettings, offeredTool, type SettingNames } from '../make-settings.ts'
import { messageText } from '../message-text.ts'
import { chatRequest } from '../openai-chat/chat-request.ts'
import { filledOf, type JsonObject, objectOf, objectsOf, withoutUndefined } from '../read-json.ts'
import type { OfferedTool, RequestReader, SentToolResult } from '../request-reader.ts'

/** Version 2 has a conversation like OpenAI's; version 1 a message, the history, results and a preamble. */
export const cohereRequest: RequestReader = {
  toolResults(request) {
    return [...chatRequest.toolResults(request), ...objectsOf(request.tool_results).map(readResult)]
  },
  settings(request) {
    const preamble = filledOf(request.preamble)
    const system = objectsOf(request.messages).filter(({ role }) => role === 'system')
    const instructions = [
      ...(preamble === undefined ? [] : [preamble]),
      ...system.map(({ content }) => messageText(content)),
    ]
    return makeSettings({ request, names, instructions, tools: objectsOf(request.tools).map(readTool) })
  },
}

const names: SettingNames = {
  temperature: ['temperature'],
  topP: ['p'],
  maxOutputTokens: ['max_tokens'],
  stopSequences: ['stop_sequences'],
  toolChoice: ['tool_choice'],
  responseFormat: ['response_format'],
  reasoning: ['thinking'],
  apart: ['messages', 'tools', 'message', 'chat_history', 'tool_results', 'preamble'],
}

function readResult({ call, outputs }: JsonObject): SentToolResult {
  const output: Json = outputs ?? null
  return withoutUndefined<SentToolResult>({ id: undefined, name: filledOf(objectOf(call)?.name), output })
}

function readTool(tool: JsonObject): OfferedTool {
  const held = objectOf(tool.function) ?? tool
  return offeredTool(held, { raw: tool, parameters: held.parameters ?? held.parameter_definitions })
}
