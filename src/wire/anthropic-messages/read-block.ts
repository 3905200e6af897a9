/** A content block in our words. */

import type {
  Block,
  MediaBlock,
  TextBlock,
  ThinkingBlock,
  ToolArguments,
  ToolCallBlock,
  ToolResultBlock,
} from '../block.ts'
import { filledOf, type JsonObject, listOf, stringOf, withoutUndefined } from '../read-json.ts'
import type { Slot } from '../slot-list.ts'
import { readArguments } from '../tool-arguments.ts'

export function readBlock({ value: block, pending }: Omit<Slot, 'key'>): readonly Block[] {
  switch (block.type) {
    case 'text':
      return readText(block)
    case 'thinking':
      return [
        withoutUndefined<ThinkingBlock>({
          kind: 'thinking',
          text: stringOf(block.thinking) ?? '',
          signature: filledOf(block.signature),
        }),
      ]
    case 'redacted_thinking':
      return [{ kind: 'thinking', text: '', redacted: stringOf(block.data) ?? '' }]
    case 'tool_use':
      return [readCall(block, pending)]
    case 'server_tool_use':
    case 'mcp_tool_use':
      return [{ ...readCall(block, pending), byProvider: true }]
    case 'container_upload':
      return [withoutUndefined<MediaBlock>({ kind: 'media', id: filledOf(block.file_id) })]
    default:
      return [readResult(block) ?? { kind: 'marker', event: block }]
  }
}

function readText(block: JsonObject): readonly Block[] {
  const text = stringOf(block.text) ?? ''
  const citations = listOf(block.citations)
  if (text === '' && citations.length === 0) return []
  return [
    withoutUndefined<TextBlock>({ kind: 'text', text, citations: citations.length === 0 ? undefined : citations }),
  ]
}

function readCall(block: JsonObject, pending: string | undefined): ToolCallBlock {
  return withoutUndefined<ToolCallBlock>({
    kind: 'tool call',
    id: filledOf(block.id),
    name: stringOf(block.name) ?? '',
    arguments: readInput(block, pending),
  })
}

function readInput(block: JsonObject, pending: string | undefined): ToolArguments {
  return pending === undefined ? { json: block.input ?? {} } : readArguments(pending)
}

/** `web_search_tool_result`, `bash_code_execution_tool_result`, `mcp_tool_result` and whatever comes. */
function readResult(block: JsonObject): Block | undefined {
  const [, name] = /^(\w+)_tool_result$/.exec(stringOf(block.type) ?? '') ?? []
  if (name === undefined) return undefined
  const output = block.content ?? null
  return withoutUndefined<ToolResultBlock>({
    kind: 'tool result',
    id: filledOf(block.tool_use_id),
    name: name === 'mcp' ? undefined : name,
    output,
  })
}
