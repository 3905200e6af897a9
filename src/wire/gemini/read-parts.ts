/** The blocks of a candidate: its parts, with its sources on the last text. */
import type { Json } from '../../core/cassette/document.ts'
import type {
  Block,
  MediaBlock,
  TextBlock,
  ThinkingBlock,
  ToolArguments,
  ToolCallBlock,
  ToolResultBlock,
} from '../block.ts'
import { filledOf, type JsonObject, listOf, objectOf, stringOf, withoutUndefined } from '../read-json.ts'
import { withCitations } from '../with-citations.ts'

export function readParts(candidate: JsonObject): readonly Block[] {
  const blocks = listOf(objectOf(candidate.content)?.parts).map(readPart)
  return withCitations(blocks, sourcesOf(candidate))
}

function readPart(value: Json): Block {
  const part = objectOf(value)
  if (part === undefined) return { kind: 'marker', event: value }
  const text = stringOf(part.text)
  const call = objectOf(part.functionCall)
  const signature = filledOf(part.thoughtSignature)
  if (text !== undefined && part.thought === true) {
    return withoutUndefined<ThinkingBlock>({ kind: 'thinking', text, signature })
  }
  if (text !== undefined) return withoutUndefined<TextBlock>({ kind: 'text', text, signature })
  if (call !== undefined) return readCall(call, signature)
  return readMedia(part) ?? readCode(part) ?? { kind: 'marker', event: part }
}

function readCall(call: JsonObject, signature: string | undefined): Block {
  return withoutUndefined<ToolCallBlock>({
    kind: 'tool call',
    id: filledOf(call.id),
    name: stringOf(call.name) ?? '',
    arguments: readArgs(call),
    signature,
  })
}

function readArgs(call: JsonObject): ToolArguments {
  const json = call.args ?? {}
  return call.willContinue === true ? { text: JSON.stringify(json) } : { json }
}

function readMedia(part: JsonObject): Block | undefined {
  const inline = objectOf(part.inlineData)
  const file = objectOf(part.fileData)
  const held = inline ?? file
  if (held === undefined) return undefined
  return withoutUndefined<MediaBlock>({
    kind: 'media',
    type: filledOf(held.mimeType),
    data: stringOf(inline?.data),
    url: stringOf(file?.fileUri),
  })
}

function readCode(part: JsonObject): Block | undefined {
  const code = objectOf(part.executableCode)
  const result = objectOf(part.codeExecutionResult)
  if (code !== undefined) {
    return withoutUndefined<ToolCallBlock>({
      kind: 'tool call',
      id: filledOf(code.id),
      name: 'code_execution',
      arguments: { json: code },
      byProvider: true,
    })
  }
  if (result === undefined) return undefined
  return withoutUndefined<ToolResultBlock>({
    kind: 'tool result',
    id: filledOf(result.id),
    name: 'code_execution',
    output: result,
  })
}

function sourcesOf(candidate: JsonObject): readonly Json[] {
  const cited = objectOf(candidate.citationMetadata)
  const others = [candidate.groundingMetadata, candidate.urlContextMetadata].filter(
    (source) => Object.keys(objectOf(source) ?? {}).length > 0,
  )
  return [...listOf(cited?.citationSources ?? cited?.citations), ...others.filter((source) => source !== undefined)]
}
