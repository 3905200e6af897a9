import { makeSettings, offeredTool, type SettingNames } from '../make-settings.ts'
import { messageText } from '../message-text.ts'
import { filledOf, type JsonObject, objectOf, objectsOf, withoutUndefined } from '../read-json.ts'
import type { RequestReader, SentToolResult } from '../request-reader.ts'

export const messagesRequest: RequestReader = {
  toolResults(request) {
    const blocks = objectsOf(request.messages).flatMap((message) => objectsOf(message.content))
    return blocks.flatMap((block, index) => {
      if (block.type !== 'tool_result') return []
      const id = filledOf(block.tool_use_id)
      const call = blocks.slice(0, index).findLast((found) => found.type === 'tool_use' && found.id === id)
      return [
        withoutUndefined<SentToolResult>({
          id,
          name: filledOf(call?.name),
          output: block.content ?? null,
          isError: block.is_error === true ? true : undefined,
        }),
      ]
    })
  },
  settings(request) {
    const system = messageText(request.system)
    const tools = objectsOf(request.tools).map((tool) =>
      offeredTool(tool, { raw: tool, parameters: tool.input_schema }),
    )
    const settings = makeSettings({ request, names, instructions: system === '' ? [] : [system], tools })
    const format = outputFormat(request)
    return format === undefined ? settings : { ...settings, responseFormat: format }
  },
}

const names: SettingNames = {
  temperature: ['temperature'],
  topP: ['top_p'],
  maxOutputTokens: ['max_tokens'],
  stopSequences: ['stop_sequences'],
  toolChoice: ['tool_choice'],
  responseFormat: ['output_format'],
  reasoning: ['thinking'],
  apart: ['messages', 'system', 'tools'],
}

function outputFormat(request: JsonObject): JsonObject | undefined {
  return objectOf(objectOf(request.output_config)?.format)
}
