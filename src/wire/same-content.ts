/** F17: whether two answers say the same, apart from what differs from run to run anyway. */
import { isDeepStrictEqual } from 'node:util'
import type { Json } from '../core/cassette/document.ts'
import { parseMemberPath, rewriteAt } from '../core/matching/member-path.ts'
import type { Block, DecodedAnswer, Wire } from './block.ts'
import { volatileMembers } from './decoders.ts'

/**
 * True where model, blocks, alternatives, finish reason, error and token counts agree. Ids of answers and calls,
 * signatures and encrypted content, cache hits and timings do not count; nor does the order of an object's members.
 */
export function sameContent(one: DecodedAnswer, other: DecodedAnswer): boolean {
  return isDeepStrictEqual(contentOf(one), contentOf(other))
}

/** What an answer says, as plain data to compare with: the same for two answers of the same content. */
export function answerContent(answer: DecodedAnswer): Json {
  return JSON.parse(JSON.stringify(contentOf(answer))) as Json // leaves undefined members out
}

function contentOf(answer: DecodedAnswer): unknown {
  const { wire, model, blocks, finishReason, finishDetail, usage, error, finished, alternatives = [] } = answer
  return {
    ...{ wire, model, finishReason, finishDetail, finished },
    blocks: blocks.map((block) => blockContent(block, wire)),
    alternatives: alternatives.map((alternative) => ({
      finishReason: alternative.finishReason,
      blocks: alternative.blocks.map((block) => blockContent(block, wire)),
    })),
    tokens: [usage?.inputTokens, usage?.outputTokens],
    error: error && { type: error.type, code: error.code, message: error.message },
  }
}

function blockContent(block: Block, wire: Wire): unknown {
  switch (block.kind) {
    case 'text':
      return { ...block, signature: undefined, citations: block.citations?.map(withoutMadeUp) }
    case 'thinking':
      return { kind: block.kind, text: block.text, isRedacted: block.redacted !== undefined }
    case 'tool call':
      return { ...block, id: undefined, signature: undefined }
    case 'tool result':
      return { ...block, id: undefined, output: withoutMadeUp(block.output) }
    case 'media':
      return { ...block, id: undefined }
    case 'marker':
      return { kind: block.kind, event: withoutMembersAt(block.event, volatileMembers(wire)) }
    case 'refusal':
      return block
  }
}

/** Anthropic's web search; Cohere names a source after the call that found it. */
function withoutMadeUp(value: Json): Json {
  return withoutMembersAt(value, ['encrypted_index', 'encrypted_content', '[*].encrypted_content', 'sources[*].id'])
}

function withoutMembersAt(value: Json, paths: readonly string[]): Json {
  return paths.reduce((current, path) => rewriteAt(current, parseMemberPath(path), () => undefined), value)
}
