import { makeSettings, type SettingNames } from '../make-settings.ts'
import { messageText } from '../message-text.ts'
import { chatTool } from '../openai-chat/chat-request.ts'
import { filledOf, type JsonObject, objectOf, objectsOf, withoutMembers, withoutUndefined } from '../read-json.ts'
import type { RequestReader, SentToolResult } from '../request-reader.ts'

/** What steers the model is in `options`. A tool's result names its tool, not its call; a call has an id since 2025. */
export const ollamaRequest: RequestReader = {
  toolResults(request) {
    return objectsOf(request.messages)
      .filter(({ role }) => role === 'tool')
      .map((message) =>
        withoutUndefined<SentToolResult>({
          id: filledOf(message.tool_call_id),
          name: filledOf(message.tool_name) ?? filledOf(message.name),
          output: message.content ?? null,
        }),
      )
  },
  settings(request) {
    const system = filledOf(request.system)
    const said = objectsOf(request.messages).filter(({ role }) => role === 'system')
    const instructions = [...(system === undefined ? [] : [system]), ...said.map(({ content }) => messageText(content))]
    const flat: JsonObject = { ...withoutMembers(request, ['options']), ...objectOf(request.options) }
    return makeSettings({ request: flat, names, instructions, tools: objectsOf(request.tools).map(chatTool) })
  },
}

const names: SettingNames = {
  temperature: ['temperature'],
  topP: ['top_p'],
  maxOutputTokens: ['num_predict'],
  stopSequences: ['stop'],
  toolChoice: [],
  responseFormat: ['format'],
  reasoning: ['think'],
  apart: ['messages', 'prompt', 'system', 'tools'],
}
