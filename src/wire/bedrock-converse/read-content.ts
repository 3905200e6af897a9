/** A content block of Converse in our words. */
import type { Json } from '../../core/cassette/document.ts'
import type { Block, MediaBlock, TextBlock, ThinkingBlock, ToolCallBlock, ToolResultBlock } from '../block.ts'
import { filledOf, type JsonObject, listOf, objectOf, objectsOf, stringOf, withoutUndefined } from '../read-json.ts'
import type { Slot } from '../slot-list.ts'
import { readArguments } from '../tool-arguments.ts'

export function readContent({ value: block, pending }: Omit<Slot, 'key'>): readonly Block[] {
  const [kind] = Object.keys(block)
  const content = (kind === undefined ? undefined : objectOf(block[kind])) ?? {}
  switch (kind) {
    case 'text':
      return readText(stringOf(block.text) ?? '', undefined)
    case 'citationsContent':
      return readText(textOf(content.content), listOf(content.citations))
    case 'reasoningContent':
      return [readThought(content)]
    case 'toolUse':
      return [readCall(content, pending)]
    case 'toolResult':
      return [readResult(content)]
    case 'image':
    case 'video':
    case 'audio':
    case 'document':
      return [readMedia(kind, content)]
    default:
      return [{ kind: 'marker', event: block }]
  }
}

function textOf(parts: Json | undefined): string {
  return objectsOf(parts)
    .map((part) => stringOf(part.text) ?? '')
    .join('')
}

function readText(text: string, citations: readonly Json[] | undefined): readonly Block[] {
  if (text === '' && (citations?.length ?? 0) === 0) return []
  return [withoutUndefined<TextBlock>({ kind: 'text', text, citations: citations?.length ? citations : undefined })]
}

function readThought(content: JsonObject): ThinkingBlock {
  const redacted = stringOf(content.redactedContent)
  if (redacted !== undefined) return { kind: 'thinking', text: '', redacted }
  const thought = objectOf(content.reasoningText)
  return withoutUndefined<ThinkingBlock>({
    kind: 'thinking',
    text: stringOf(thought?.text) ?? '',
    signature: filledOf(thought?.signature),
  })
}

/** A tool without arguments streams none. */
function readCall(call: JsonObject, pending: string | undefined): ToolCallBlock {
  return withoutUndefined<ToolCallBlock>({
    kind: 'tool call',
    id: filledOf(call.toolUseId),
    name: stringOf(call.name) ?? '',
    arguments: pending === undefined || pending === '' ? { json: call.input ?? {} } : readArguments(pending),
    byProvider: call.type === 'server_tool_use' ? true : undefined,
  })
}

function readResult(result: JsonObject): ToolResultBlock {
  return withoutUndefined<ToolResultBlock>({
    kind: 'tool result',
    id: filledOf(result.toolUseId),
    name: undefined,
    output: result.content ?? null,
  })
}

function readMedia(kind: 'image' | 'video' | 'audio' | 'document', media: JsonObject): MediaBlock {
  const source = objectOf(media.source)
  const format = filledOf(media.format)
  const family = kind === 'document' ? 'application' : kind
  return withoutUndefined<MediaBlock>({
    kind: 'media',
    type: format === undefined ? undefined : `${family}/${format}`,
    data: filledOf(source?.bytes),
    url: filledOf(objectOf(source?.s3Location)?.uri),
  })
}
