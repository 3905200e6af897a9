import { makeSettings, offeredTool, type SettingNames } from '../make-settings.ts'
import { messageText } from '../message-text.ts'
import { filledOf, type JsonObject, objectOf, objectsOf, stringOf, withoutUndefined } from '../read-json.ts'
import type { OfferedTool, RequestReader, SentToolResult } from '../request-reader.ts'

export const chatRequest: RequestReader = {
  toolResults(request) {
    const messages = objectsOf(request.messages)
    return messages.flatMap((message, index) => {
      if (message.role !== 'tool' && message.role !== 'function') return []
      const id = filledOf(message.tool_call_id)
      const name = filledOf(message.name) ?? nameOfCall(messages.slice(0, index), id)
      return [withoutUndefined<SentToolResult>({ id, name, output: message.content ?? null })]
    })
  },
  settings(request) {
    const instructions = objectsOf(request.messages)
      .filter(({ role }) => role === 'system' || role === 'developer')
      .map(({ content }) => messageText(content))
    const tools = [...objectsOf(request.tools).map(chatTool), ...objectsOf(request.functions).map(readFunction)]
    return makeSettings({ request, names, instructions, tools })
  },
}

const names: SettingNames = {
  temperature: ['temperature'],
  topP: ['top_p'],
  maxOutputTokens: ['max_completion_tokens', 'max_tokens'],
  stopSequences: ['stop'],
  toolChoice: ['tool_choice', 'function_call'],
  responseFormat: ['response_format'],
  reasoning: ['reasoning', 'reasoning_effort'],
  apart: ['messages', 'tools', 'functions'],
}

function nameOfCall(earlier: readonly JsonObject[], id: string | undefined): string | undefined {
  if (id === undefined) return undefined
  const call = earlier.flatMap((message) => objectsOf(message.tool_calls)).findLast((found) => found.id === id)
  return stringOf((objectOf(call?.function) ?? objectOf(call?.custom))?.name)
}

/** A tool as OpenAI and those that follow it write it. */
export function chatTool(tool: JsonObject): OfferedTool {
  const held = objectOf(tool.function) ?? objectOf(tool.custom) ?? {}
  return offeredTool(held, { raw: tool, parameters: held.parameters ?? held.format })
}

function readFunction(tool: JsonObject): OfferedTool {
  return offeredTool(tool, { raw: tool, parameters: tool.parameters })
}
