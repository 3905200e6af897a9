/** The answer of a model call as `show` tells it: what the decoders of `wire` found in it, in short. */
import type { HttpInteraction } from '../../core/cassette/document.ts'
import { decodedAnswer, type SideFileReader } from '../../trajectory/decoded-answer.ts'
import type { Block, ToolArguments } from '../../wire/block.ts'
import { type AnswerOutline, compact } from './outline.ts'

/** Undefined where nothing is said that a reader would look for. */
export function outlineAnswer(interaction: HttpInteraction, sideFiles: SideFileReader): AnswerOutline | undefined {
  const answer = decodedAnswer(interaction, sideFiles)
  if (answer === undefined) return undefined
  const { blocks, usage } = answer
  if (blocks.every(({ kind }) => kind === 'marker') && usage === undefined) return undefined
  const joined = (textOf: (block: Block) => string): string => blocks.map(textOf).join('')
  return {
    thinking: joined((block) => (block.kind === 'thinking' ? block.text : '')),
    text: joined((block) => (block.kind === 'text' || block.kind === 'refusal' ? block.text : '')),
    calls: blocks.flatMap((block) =>
      block.kind === 'tool call' ? [{ name: block.name, input: inputText(block.arguments) }] : [],
    ),
    usage: usage === undefined ? undefined : { input: usage.inputTokens, output: usage.outputTokens },
  }
}

function inputText(given: ToolArguments): string {
  return 'json' in given ? compact(given.json) : given.text
}
