/** The answer of a model call as `show` tells it: what the decoders of `wire` found in it, in short. */
import type { HttpInteraction } from '../../core/cassette/document.ts'
import { decodedAnswer, type SideFileReader } from '../../trajectory/decoded-answer.ts'
import type { Block, DecodedAnswer, MediaBlock, ToolArguments, WireError } from '../../wire/block.ts'
import { type AnswerOutline, compact, type Piece } from './outline.ts'
import { mediaWords, sizeOf } from './outline-media.ts'

/** Undefined where nothing is said that a reader would look for. */
export function outlineAnswer(interaction: HttpInteraction, sideFiles: SideFileReader): AnswerOutline | undefined {
  const answer = decodedAnswer(interaction, sideFiles)
  if (answer === undefined) return undefined
  const { blocks, usage, error } = answer
  if (blocks.every(({ kind }) => kind === 'marker') && usage === undefined && error === undefined) return undefined
  const joined = (textOf: (block: Block) => string): string => blocks.map(textOf).join('')
  const notes = notesOf(answer)
  return {
    thinking: joined((block) => (block.kind === 'thinking' ? block.text : '')),
    text: joined((block) => (block.kind === 'text' ? block.text : '')),
    calls: blocks.flatMap((block) =>
      block.kind === 'tool call' ? [{ name: block.name, input: inputText(block.arguments) }] : [],
    ),
    usage: usage === undefined ? undefined : { input: usage.inputTokens, output: usage.outputTokens },
    notes: notes.length === 0 ? undefined : notes,
  }
}

function inputText(given: ToolArguments): string {
  return 'json' in given ? compact(given.json) : given.text
}

function notesOf({ blocks, error, finishReason }: DecodedAnswer): readonly Piece[] {
  return [
    ...blocks.flatMap(blockNotes),
    ...(error === undefined ? [] : [{ label: 'error', text: errorText(error) }]),
    ...(finishReason === undefined || usualEnds.has(finishReason.toLowerCase())
      ? []
      : [{ label: 'ended by', text: finishReason }]),
  ]
}

/** Of an answer that says all it had to say, or calls a tool. */
const usualEnds: ReadonlySet<string> = new Set([
  'stop',
  'end_turn',
  'stop_sequence',
  'tool_calls',
  'tool_use',
  'function_call',
  'completed',
  'complete',
  'tool_call',
])

function blockNotes(block: Block): readonly Piece[] {
  switch (block.kind) {
    case 'refusal':
      return [{ label: 'refusal', text: block.text }]
    case 'tool result':
      return [{ label: 'result', text: compact(block.output) }]
    case 'media':
      return [{ label: 'media', text: mediaBlockText(block) }]
    case 'text':
    case 'thinking':
    case 'tool call':
    case 'marker':
      return []
  }
}

function mediaBlockText({ type, data, url, id, transcript }: MediaBlock): string {
  const words = mediaWords([type, data === undefined ? (url ?? id) : sizeOf(data)])
  return transcript === undefined ? words : `${words} ${transcript}`
}

function errorText({ type, code, message }: WireError): string {
  const name = [...new Set([type, code])].filter((part) => part !== undefined).join(', ')
  return name === '' ? message : `${message} (${name})`
}
