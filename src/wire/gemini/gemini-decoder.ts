/**
 * Gemini's `generateContent` and `streamGenerateContent` (server-sent events or one JSON array), on Google AI and Vertex.
 * A chunk has the form of a whole answer, so both take the same way.
 */
import type { Json } from '../../core/cassette/document.ts'
import { type AnswerState, blocksInOrder, editSlot, keepError, keepMarker } from '../answer-state.ts'
import type { Alternative, Block, DecodedAnswer, Usage } from '../block.ts'
import {
  filledOf,
  type JsonObject,
  listOf,
  numberOf,
  objectOf,
  objectsOf,
  withoutMembers,
  withoutNulls,
  withoutUndefined,
} from '../read-json.ts'
import { allSlots, firstSlot, noSlots, putSlot } from '../slot-list.ts'
import type { WireDecoder, WireEvent } from '../wire-decoder.ts'
import { readError } from '../wire-error.ts'
import { foldPart } from './fold-part.ts'
import { readParts } from './read-parts.ts'

export const geminiDecoder: WireDecoder = {
  wire: 'gemini',
  reduce,
  read,
  volatileMembers: [
    ...['responseId', 'createTime', 'usageMetadata.serviceTier', 'usageMetadata.trafficType'],
    ...['candidates[*].avgLogprobs', 'candidates[*].content.parts[*].thoughtSignature'],
    ...['candidates[*].content.parts[*].functionCall.id', 'candidates[*].groundingMetadata.searchEntryPoint'],
    // A part by itself.
    'thoughtSignature',
  ],
}

function reduce(state: AnswerState, { data }: WireEvent): AnswerState {
  if (data === '[DONE]') return state
  const event = objectOf(data)
  if (event === undefined) return keepMarker(state, data)
  const error = readError(event)
  if (error !== undefined) return keepError(state, error)
  if (!knownMembers.some((name) => name in event)) return keepMarker(state, event)
  const next = objectsOf(event.candidates).reduce(reduceCandidate, reduceMembers(state, event))
  const ended = filledOf(firstSlot(next.slots)?.value.finishReason) ?? blockReason(next.whole)
  return ended === undefined ? next : { ...next, finished: true }
}

const knownMembers = ['candidates', 'promptFeedback', 'usageMetadata', 'modelVersion', 'responseId']

/** Early chunks hold a part of the usage, the last one all of it. */
function reduceMembers(state: AnswerState, event: JsonObject): AnswerState {
  const usage = { ...objectOf(state.whole.usageMetadata), ...objectOf(event.usageMetadata) }
  const members = withoutNulls(withoutMembers(event, ['candidates']))
  return { ...state, whole: { ...state.whole, ...members, usageMetadata: usage } }
}

function reduceCandidate(state: AnswerState, candidate: JsonObject): AnswerState {
  return editSlot(state, {
    key: numberOf(candidate.index) ?? 0,
    edit: (slot) => {
      const before = listOf(objectOf(slot?.value.content)?.parts)
      const parts = listOf(objectOf(candidate.content)?.parts).reduce<readonly Json[]>(foldPart, before)
      return { value: { ...slot?.value, ...withoutNulls(candidate), content: { role: 'model', parts } } }
    },
  })
}

function blockReason(whole: JsonObject): string | undefined {
  return filledOf(objectOf(whole.promptFeedback)?.blockReason)
}

function read(state: AnswerState): DecodedAnswer {
  const { whole, slots } = state
  const [first, ...others] = allSlots(slots)
  const own = { ...state, slots: first === undefined ? noSlots : putSlot(noSlots, first) }
  const blocked = blockReason(whole)
  return withoutUndefined<DecodedAnswer>({
    wire: 'gemini',
    id: filledOf(whole.responseId),
    model: filledOf(whole.modelVersion),
    blocks: [...blocksInOrder(own, ({ value }) => readParts(value)), ...readBlocked(objectOf(whole.promptFeedback))],
    finishReason: filledOf(first?.value.finishReason) ?? blocked,
    finishDetail: filledOf(first?.value.finishMessage) ?? (blocked === undefined ? undefined : whole.promptFeedback),
    usage: readUsage(objectOf(whole.usageMetadata)),
    error: state.error,
    finished: state.finished,
    alternatives: others.length === 0 ? undefined : others.map(({ value }) => readAlternative(value)),
  })
}

function readAlternative(candidate: JsonObject): Alternative {
  return withoutUndefined<Alternative>({
    blocks: readParts(candidate),
    finishReason: filledOf(candidate.finishReason),
  })
}

/** A prompt that was refused has no candidate. */
function readBlocked(feedback: JsonObject | undefined): readonly Block[] {
  const reason = filledOf(feedback?.blockReason)
  return reason === undefined ? [] : [{ kind: 'refusal', text: filledOf(feedback?.blockReasonMessage) ?? reason }]
}

/** Gemini counts thoughts beside the candidates' tokens, and the results of its own tools beside the prompt's. */
function readUsage(usage: JsonObject | undefined): Usage | undefined {
  const input = numberOf(usage?.promptTokenCount)
  const output = numberOf(usage?.candidatesTokenCount)
  const thoughts = numberOf(usage?.thoughtsTokenCount)
  const total = numberOf(usage?.totalTokenCount)
  if (usage === undefined || (input ?? output ?? thoughts ?? total) === undefined) return undefined
  return withoutUndefined<Usage>({
    inputTokens: (input ?? 0) + (numberOf(usage.toolUsePromptTokenCount) ?? 0),
    outputTokens: (output ?? 0) + (thoughts ?? 0),
    cachedInputTokens: numberOf(usage.cachedContentTokenCount),
    reasoningTokens: thoughts,
    totalTokens: total,
    raw: usage,
  })
}
