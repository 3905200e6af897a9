/** The blocks of a chat message: thinking, content, refusal, media, then tool calls, whatever order a stream had. */
import type { Json } from '../../core/cassette/document.ts'
import type { Block, MediaBlock, ThinkingBlock, ToolCallBlock } from '../block.ts'
import { mediaOfUrl } from '../media-url.ts'
import { filledOf, type JsonObject, listOf, objectOf, objectsOf, stringOf, withoutUndefined } from '../read-json.ts'
import { readArguments } from '../tool-arguments.ts'
import { withCitations } from '../with-citations.ts'
import { partText } from './fold-content.ts'

/** `whole`: the answer's members; Perplexity puts its sources there. */
export function readMessage(message: JsonObject, whole: JsonObject): readonly Block[] {
  const refusal = filledOf(message.refusal)
  return [
    ...readThinking(message),
    ...withCitations(readContent(message.content), citationsOf(message, whole)),
    ...(refusal === undefined ? [] : [{ kind: 'refusal' as const, text: refusal }]),
    ...objectsOf(message.images).map(readImage),
    ...readAudio(objectOf(message.audio)),
    ...objectsOf(message.tool_calls).map(readToolCall),
    ...readFunctionCall(objectOf(message.function_call)),
  ]
}

function readThinking(message: JsonObject): readonly Block[] {
  const details = objectsOf(message.reasoning_details)
  const told = details.map((detail) => stringOf(detail.text) ?? stringOf(detail.summary) ?? '').join('')
  // Some servers send the same text under both names.
  const text = filledOf(message.reasoning_content) ?? filledOf(message.reasoning) ?? told
  const signature = details.map((detail) => filledOf(detail.signature)).find((found) => found !== undefined)
  const own = signature ?? filledOf(message.thought_signature) ?? googleSignature(message)
  const encrypted = details.flatMap((detail) => filledOf(detail.data) ?? [])
  return [
    ...(text === '' && own === undefined
      ? []
      : [withoutUndefined<ThinkingBlock>({ kind: 'thinking', text, signature: own })]),
    ...encrypted.map((redacted): Block => ({ kind: 'thinking', text: '', redacted })),
  ]
}

function googleSignature(holder: JsonObject): string | undefined {
  return filledOf(objectOf(objectOf(holder.extra_content)?.google)?.thought_signature)
}

function readContent(content: Json | undefined): readonly Block[] {
  if (typeof content === 'string') return content === '' ? [] : [{ kind: 'text', text: content }]
  return listOf(content).flatMap((part) => readPart(part))
}

function readPart(value: Json): readonly Block[] {
  const part = objectOf(value)
  const text = part === undefined ? undefined : partText(part)
  if (part === undefined) return [{ kind: 'marker', event: value }]
  if (text !== undefined) return text === '' ? [] : [{ kind: part.type === 'thinking' ? 'thinking' : 'text', text }]
  if (part.type === 'image_url') return [readImage(part)]
  const refusal = stringOf(part.refusal)
  return [
    part.type === 'refusal' && refusal !== undefined
      ? { kind: 'refusal', text: refusal }
      : { kind: 'marker', event: part },
  ]
}

function citationsOf(message: JsonObject, whole: JsonObject): readonly Json[] {
  const [found = []] = [message.annotations, whole.search_results, whole.citations]
    .map(listOf)
    .filter((list) => list.length > 0)
  return found
}

function readImage(image: JsonObject): Block {
  const url = stringOf(image.image_url) ?? stringOf(objectOf(image.image_url)?.url)
  return url === undefined ? { kind: 'marker', event: image } : mediaOfUrl(url)
}

function readAudio(audio: JsonObject | undefined): readonly Block[] {
  if (audio === undefined) return []
  return [
    withoutUndefined<MediaBlock>({
      kind: 'media',
      type: 'audio',
      data: filledOf(audio.data),
      id: filledOf(audio.id),
      transcript: filledOf(audio.transcript),
    }),
  ]
}

export function readToolCall(call: JsonObject): Block {
  const named = objectOf(call.function)
  const custom = objectOf(call.custom)
  return withoutUndefined<ToolCallBlock>({
    kind: 'tool call',
    id: filledOf(call.id),
    name: stringOf((named ?? custom)?.name) ?? '',
    arguments:
      named === undefined && custom !== undefined
        ? { text: stringOf(custom.input) ?? '' }
        : readArguments(stringOf(named?.arguments) ?? ''),
    signature: googleSignature(call),
  })
}

function readFunctionCall(call: JsonObject | undefined): readonly Block[] {
  if (call === undefined) return []
  const name = stringOf(call.name) ?? ''
  return [{ kind: 'tool call', name, arguments: readArguments(stringOf(call.arguments) ?? '') }]
}
