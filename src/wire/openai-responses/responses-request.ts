import { makeSettings, offeredTool, type SettingNames } from '../make-settings.ts'
import { messageText } from '../message-text.ts'
import { filledOf, objectOf, objectsOf, stringOf, withoutUndefined } from '../read-json.ts'
import type { RequestReader, SentToolResult } from '../request-reader.ts'

export const responsesRequest: RequestReader = {
  toolResults(request) {
    const items = objectsOf(request.input)
    return items.flatMap((item, index) => {
      if (stringOf(item.type)?.endsWith('_call_output') !== true) return []
      const id = filledOf(item.call_id)
      const call = items.slice(0, index).findLast((found) => id !== undefined && found.call_id === id)
      return [withoutUndefined<SentToolResult>({ id, name: filledOf(call?.name), output: item.output ?? null })]
    })
  },
  settings(request) {
    const told = objectsOf(request.input).filter(({ role }) => role === 'system' || role === 'developer')
    const own = filledOf(request.instructions)
    const instructions = [...(own === undefined ? [] : [own]), ...told.map(({ content }) => messageText(content))]
    const tools = objectsOf(request.tools).map((tool) => offeredTool(tool, { raw: tool, parameters: tool.parameters }))
    const settings = makeSettings({ request, names, instructions, tools })
    const format = objectOf(request.text)?.format
    return format === undefined ? settings : { ...settings, responseFormat: format }
  },
}

const names: SettingNames = {
  temperature: ['temperature'],
  topP: ['top_p'],
  maxOutputTokens: ['max_output_tokens'],
  stopSequences: [],
  toolChoice: ['tool_choice'],
  responseFormat: [],
  reasoning: ['reasoning'],
  apart: ['input', 'instructions', 'tools'],
}
