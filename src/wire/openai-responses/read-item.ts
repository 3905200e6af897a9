/** The blocks of one output item. Calls of tools that the provider runs, and their results, are marked as such. */
import type { Json } from '../../core/cassette/document.ts'
import type { Block, MediaBlock, TextBlock, ThinkingBlock, ToolCallBlock, ToolResultBlock } from '../block.ts'
import {
  filledOf,
  type JsonObject,
  listOf,
  objectOf,
  objectsOf,
  stringOf,
  withoutMembers,
  withoutUndefined,
} from '../read-json.ts'
import { readArguments } from '../tool-arguments.ts'

export function readItem(item: JsonObject): readonly Block[] {
  switch (item.type) {
    case 'message':
      // What a compaction hands back of the user's own messages is no answer.
      return item.role === 'user' ? [{ kind: 'marker', event: item }] : listOf(item.content).flatMap(readPart)
    case 'reasoning':
      return readReasoning(item)
    case 'function_call':
      return [
        toolCall(item, { name: stringOf(item.name) ?? '', arguments: readArguments(stringOf(item.arguments) ?? '') }),
      ]
    case 'custom_tool_call':
      return [toolCall(item, { name: stringOf(item.name) ?? '', arguments: { text: stringOf(item.input) ?? '' } })]
    case 'computer_call':
      return [toolCall(item, { name: 'computer', arguments: { json: item.action ?? item.actions ?? {} } })]
    case 'shell_call':
    case 'local_shell_call':
      return [toolCall(item, { name: 'shell', arguments: { json: item.action ?? {} } })]
    case 'apply_patch_call':
      return [toolCall(item, { name: 'apply_patch', arguments: { json: item.operation ?? {} } })]
    case 'image_generation_call':
      return [readImage(item)]
    default:
      return readProviderCall(item) ?? [{ kind: 'marker', event: item }]
  }
}

function readPart(value: Json): readonly Block[] {
  const part = objectOf(value)
  if (part?.type === 'output_text') return readText(part)
  const refusal = stringOf(part?.refusal)
  if (part?.type === 'refusal' && refusal !== undefined) return [{ kind: 'refusal', text: refusal }]
  return [{ kind: 'marker', event: value }]
}

function readText(part: JsonObject): readonly Block[] {
  const text = stringOf(part.text) ?? ''
  const citations = listOf(part.annotations)
  if (text === '' && citations.length === 0) return []
  return [
    withoutUndefined<TextBlock>({ kind: 'text', text, citations: citations.length === 0 ? undefined : citations }),
  ]
}

/** One block, or two where the item holds the thinking and its summary; encrypted content goes with the first. */
function readReasoning(item: JsonObject): readonly Block[] {
  const texts = [joined(item.content, ''), joined(item.summary, '\n\n')].filter((text) => text !== '')
  const redacted = filledOf(item.encrypted_content)
  const [first = '', ...others] = texts
  return [
    withoutUndefined<ThinkingBlock>({ kind: 'thinking', text: first, redacted }),
    ...others.map((text): Block => ({ kind: 'thinking', text })),
  ]
}

function joined(parts: Json | undefined, separator: string): string {
  return objectsOf(parts)
    .map((part) => stringOf(part.text) ?? '')
    .join(separator)
}

function toolCall(item: JsonObject, call: Pick<ToolCallBlock, 'name' | 'arguments'>): Block {
  return withoutUndefined<ToolCallBlock>({ kind: 'tool call', id: filledOf(item.call_id), ...call })
}

function readImage(item: JsonObject): Block {
  const data = filledOf(item.result)
  const format = filledOf(item.output_format)
  if (data === undefined) {
    const json = withoutMembers(item, ['id', 'type', 'status', 'result'])
    return { kind: 'tool call', name: 'image_generation', arguments: { json }, byProvider: true }
  }
  return withoutUndefined<MediaBlock>({
    kind: 'media',
    type: format === undefined ? undefined : `image/${format}`,
    data,
  })
}

/** The call and, where the item holds it, the result of a tool that the provider ran. */
function readProviderCall(item: JsonObject): readonly Block[] | undefined {
  switch (item.type) {
    case 'web_search_call':
      return providerCall(item, { name: 'web_search', arguments: { json: item.action ?? {} } })
    case 'file_search_call':
      return providerCall(item, {
        name: 'file_search',
        arguments: { json: { queries: item.queries ?? [] } },
        output: item.results,
      })
    case 'code_interpreter_call':
      return providerCall(item, {
        name: 'code_interpreter',
        arguments: { json: { code: item.code ?? '' } },
        output: item.outputs,
      })
    case 'mcp_call':
      return providerCall(item, {
        name: stringOf(item.name) ?? '',
        arguments: readArguments(stringOf(item.arguments) ?? ''),
        output: item.output ?? item.error,
      })
    default:
      return undefined
  }
}

interface ProviderCall extends Pick<ToolCallBlock, 'name' | 'arguments'> {
  readonly output?: Json | undefined
}

function providerCall(item: JsonObject, { output, ...call }: ProviderCall): readonly Block[] {
  const id = filledOf(item.id)
  const block = withoutUndefined<ToolCallBlock>({ kind: 'tool call', id, ...call, byProvider: true })
  if (output === undefined || output === null) return [block]
  return [block, withoutUndefined<ToolResultBlock>({ kind: 'tool result', id, name: call.name, output })]
}
