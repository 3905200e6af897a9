import type { Json } from '../../core/cassette/document.ts'
import { makeSettings, offeredTool, type SettingNames } from '../make-settings.ts'
import { messageText } from '../message-text.ts'
import { filledOf, type JsonObject, objectOf, objectsOf, withoutMembers, withoutUndefined } from '../read-json.ts'
import type { OfferedTool, RequestReader, SentToolResult } from '../request-reader.ts'

/** The model is in the path. */
export const converseRequest: RequestReader = {
  toolResults(request) {
    const blocks = objectsOf(request.messages).flatMap((message) => objectsOf(message.content))
    return blocks.flatMap((block, index) => {
      const result = objectOf(block.toolResult)
      if (result === undefined) return []
      const id = filledOf(result.toolUseId)
      const call = blocks.slice(0, index).findLast((found) => objectOf(found.toolUse)?.toolUseId === id)
      return [
        withoutUndefined<SentToolResult>({
          id,
          name: filledOf(objectOf(call?.toolUse)?.name),
          output: result.content ?? null,
          isError: result.status === 'error' ? true : undefined,
        }),
      ]
    })
  },
  settings(request) {
    const system = messageText(request.system)
    const config = objectOf(request.toolConfig) ?? {}
    const flat = {
      ...withoutMembers(request, ['inferenceConfig', 'toolConfig']),
      ...objectOf(request.inferenceConfig),
      ...(config.toolChoice !== undefined && { toolChoice: config.toolChoice }),
      ...thinkingOf(request.additionalModelRequestFields),
    }
    const tools = objectsOf(config.tools).flatMap(readTool)
    return makeSettings({ request: flat, names, instructions: system === '' ? [] : [system], tools })
  },
}

const names: SettingNames = {
  temperature: ['temperature'],
  topP: ['topP'],
  maxOutputTokens: ['maxTokens'],
  stopSequences: ['stopSequences'],
  toolChoice: ['toolChoice'],
  responseFormat: ['outputConfig'],
  reasoning: ['thinking'],
  apart: ['messages', 'system'],
}

/** What a model has beyond Converse goes through as it is: Claude's thinking, Nova's. */
function thinkingOf(fields: Json | undefined): JsonObject {
  const { thinking, reasoning_config, reasoningConfig } = objectOf(fields) ?? {}
  const asked = thinking ?? reasoning_config ?? reasoningConfig
  return asked === undefined ? {} : { thinking: asked }
}

/** `{"cachePoint": …}` stands among the tools and is none. */
function readTool(entry: JsonObject): readonly OfferedTool[] {
  const spec = objectOf(entry.toolSpec)
  if (spec !== undefined) return [offeredTool(spec, { raw: entry, parameters: objectOf(spec.inputSchema)?.json })]
  const system = objectOf(entry.systemTool)
  return system === undefined ? [] : [offeredTool(system, { raw: entry, parameters: undefined })]
}
