import type { Json } from '../core/cassette/document.ts'
import type { Block, TextBlock } from './block.ts'

/** Sources of a whole answer belong to its last text; where there is no text they are kept as a marker. */
export function withCitations(blocks: readonly Block[], citations: readonly Json[]): readonly Block[] {
  if (citations.length === 0) return blocks
  const at = blocks.findLastIndex(({ kind }) => kind === 'text')
  const text = blocks[at]
  if (text?.kind !== 'text') return [...blocks, { kind: 'marker', event: { citations } }]
  return blocks.with(at, { ...text, citations } satisfies TextBlock)
}
