/** Cohere's chat of version 1, told in the words of version 2. */
import type { Json } from '../../core/cassette/document.ts'
import { type JsonObject, listOf, objectOf, objectsOf, withoutUndefined } from '../read-json.ts'

/** An event or a whole answer of version 1 as one of version 2; anything else as it is. */
export function fromVersion1(sent: JsonObject): JsonObject {
  switch (sent.event_type) {
    case undefined:
      return typeof sent.text === 'string' && 'generation_id' in sent ? wholeOf(sent) : sent
    case 'stream-start':
      return withoutUndefined<JsonObject>({ type: 'message-start', id: sent.generation_id })
    case 'text-generation':
      return delta('content-delta', { content: { type: 'text', text: sent.text ?? '' } })
    case 'citation-generation':
      return delta('citation-start', { citations: listOf(sent.citations) })
    case 'tool-calls-generation':
      return delta('tool-call-delta', { tool_calls: callsOf(sent) })
    case 'tool-calls-chunk':
      // The calls come whole after their chunks.
      return { type: 'tool-call-end' }
    case 'stream-end':
      return { type: 'message-end', delta: wholeOf({ ...sent, ...objectOf(sent.response) }) }
    default:
      return sent
  }
}

function delta(type: string, message: JsonObject): JsonObject {
  return { type, delta: { message } }
}

function wholeOf(sent: JsonObject): JsonObject {
  const { meta, text, citations } = sent
  return withoutUndefined<JsonObject>({
    id: sent.generation_id,
    finish_reason: sent.finish_reason,
    message: {
      content: [{ type: 'text', text: text ?? '' }],
      citations: listOf(citations),
      tool_calls: callsOf(sent),
    },
    usage: objectOf(meta),
  })
}

function callsOf({ tool_calls }: JsonObject): readonly Json[] {
  return objectsOf(tool_calls).map(({ name = '', parameters = {} }) => ({
    function: { name, arguments: JSON.stringify(parameters) },
  }))
}
