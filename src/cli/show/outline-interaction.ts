/** One interaction as `show` tells it, from its stored form. */

import { modelOf } from '../../core/capture/describe-call.ts'
import { bodyBytes, chunkCount } from '../../core/cassette/decode-body.ts'
import {
  type BodyEnd,
  type Failure,
  type HttpInteraction,
  type Interaction,
  isHttpInteraction,
  type RequestBody,
  type ResponseBody,
  type ValueInteraction,
  type ValueResult,
} from '../../core/cassette/document.ts'
import { isReadInPart } from '../../core/cassette/read-in-part.ts'
import { groupTurns } from '../../core/turns/group-turns.ts'
import { counted } from '../../errors/messages/compose-message.ts'
import type { SideFileReader } from '../../trajectory/decoded-answer.ts'
import { runArguments } from '../../trajectory/tool-calls.ts'
import { type AnswerOutline, compact, type Piece } from './outline.ts'
import { outlineAnswer } from './outline-answer.ts'
import { newPieces, outlineRequest, type RequestOutline } from './outline-request.ts'

export interface InteractionOutline {
  readonly number: number
  readonly turn: number | undefined
  /** Which try of the turn's call it is; undefined where there was but one. */
  readonly attempt: { readonly number: number; readonly of: number } | undefined
  readonly lane: string | undefined
  readonly kind: Interaction['kind']
  /** True: a call that compacted the conversation; undefined: none. */
  readonly isFold: true | undefined
  /** Method and URL, or the tool's name. */
  readonly call: string
  readonly model: string | undefined
  readonly hash: string
  /** What became of it: `200`, `failed at connect: TypeError: fetch failed`. */
  readonly outcome: string
  /** `beside #3`, `head after 120 ms`, `4 chunks in 19 ms`, `aborted by the caller`. */
  readonly timing: readonly string[]
  /** What the request adds to the one before in its lane. */
  readonly request: readonly Piece[]
  readonly answer: AnswerOutline | undefined
  /** Instead of an answer, where none was found: the body or value in short. */
  readonly response: string | undefined
}

export interface Outlined {
  readonly interactions: readonly Interaction[]
  readonly sideFiles: SideFileReader
}

/** Outlines them in order; a request is told as what it adds. */
export function outlineInteractions({ interactions, sideFiles }: Outlined): readonly InteractionOutline[] {
  const places = placesOf(interactions)
  const earlier = new Map<string | undefined, RequestOutline>()
  return interactions.map((interaction) => {
    const { number, kind, lane, hash } = interaction
    const isFold = 'fold' in interaction ? interaction.fold : undefined
    const { turn, attempt } = places.get(number) ?? { turn: undefined, attempt: undefined }
    const common = { number, turn, attempt, lane, kind, isFold, hash }
    if (!isHttpInteraction(interaction)) return { ...common, ...valueParts(interaction) }
    const outline = outlineRequest(interaction.request.body)
    const request = outline === undefined ? bodyPieces(interaction.request.body) : newPieces(outline, earlier.get(lane))
    if (outline !== undefined) earlier.set(lane, outline)
    return { ...common, request, ...httpParts(interaction, sideFiles) }
  })
}

type Place = Pick<InteractionOutline, 'turn' | 'attempt'>

/** By the number of each model call that is of a turn. */
function placesOf(interactions: readonly Interaction[]): ReadonlyMap<number, Place> {
  const places = new Map<number, Place>()
  for (const { number: turn, attempts, interaction } of groupTurns(interactions)) {
    const tries = [...attempts, interaction]
    for (const [index, { number }] of tries.entries()) {
      places.set(number, { turn, attempt: tries.length === 1 ? undefined : { number: index + 1, of: tries.length } })
    }
  }
  return places
}

function besideText({ overlaps = [] }: Interaction): readonly string[] {
  if (overlaps.length === 0) return []
  const named = overlaps.slice(0, mostNamed).map((number) => `#${number}`)
  const rest = overlaps.length - named.length
  return [`beside ${named.join(', ')}${rest === 0 ? '' : ` and ${rest} more`}`]
}

const mostNamed = 3

type Parts = Omit<InteractionOutline, 'number' | 'turn' | 'attempt' | 'lane' | 'kind' | 'isFold' | 'hash' | 'request'>

function httpParts(interaction: HttpInteraction, sideFiles: SideFileReader): Parts {
  const { request, response, failure, timing } = interaction
  const { method, url, body } = request
  const stored = response?.body
  const answer = outlineAnswer(interaction, sideFiles)
  return {
    call: `${method} ${url}`,
    model: body !== undefined && 'json' in body ? modelOf(body.json) : undefined,
    outcome:
      response === undefined
        ? failedAt(failure)
        : `${response.status}${response.redirected ? ` from ${response.url}` : ''}`,
    timing: [
      ...besideText(interaction),
      ...(timing.headMs === undefined ? [] : [`head after ${timing.headMs} ms`]),
      ...(stored === undefined ? [] : [chunkTiming(stored), ...endOf(stored.end)]),
    ],
    answer,
    response: answer === undefined && stored !== undefined ? bodyText(stored) : undefined,
  }
}

function valueParts(interaction: ValueInteraction): Parts & Pick<InteractionOutline, 'request'> {
  const { request, result } = interaction
  return {
    call: request.name,
    model: undefined,
    outcome: valueOutcome(result),
    timing: [...besideText(interaction), ...('elements' in result ? [counted(result.elements.length, 'element')] : [])],
    request: [{ label: 'input', text: compact(runArguments(interaction)) }],
    answer: undefined,
    response: valueText(result),
  }
}

function valueOutcome(result: ValueResult): string {
  const error = 'error' in result ? result.error : undefined
  if (isReadInPart(error)) return 'not read to its end'
  return error === undefined ? 'returned' : `threw ${failureText(error)}`
}

function valueText(result: ValueResult): string | undefined {
  if ('value' in result) return compact(result.value)
  if ('elements' in result) return result.elements.map(compact).join('\n')
  return 'undefined' in result ? 'undefined' : undefined
}

function chunkTiming(body: ResponseBody): string {
  const spanMs = (body.gapsMs ?? []).reduce((sum, gap) => sum + gap, 0)
  return `${counted(chunkCount(body), 'chunk')}${spanMs === 0 ? '' : ` in ${spanMs} ms`}`
}

function endOf(end: BodyEnd | undefined): readonly string[] {
  switch (end?.kind) {
    case undefined:
    case 'complete':
      return []
    case 'aborted':
      return ['aborted by the caller']
    case 'partial':
      return ['not read to its end']
    case 'failed':
      return [failedAt(end.failure)]
  }
}

function failedAt(failure: Failure | undefined): string {
  if (failure === undefined) return 'no answer'
  const isGivenUp = failure.details?.abortedBy === 'caller'
  return `${isGivenUp ? 'given up by the caller' : `failed at ${failure.stage}`}: ${failureText(failure)}`
}

function failureText({ name, message, code, cause }: Failure): string {
  const known = code ?? cause?.code
  return `${name}: ${message}${known === undefined ? '' : ` (${known})`}`
}

function bodyPieces(body: RequestBody | undefined): readonly Piece[] {
  if (body === undefined) return []
  if ('json' in body) return [{ label: 'body', text: compact(body.json) }]
  if ('text' in body) return [{ label: 'body', text: body.text }]
  if ('lines' in body) return [{ label: 'body', text: body.lines.join('\n') }]
  if ('sha256' in body) return [{ label: 'body', text: `[${counted(body.bytes, 'byte')}]` }]
  return body.parts.map(({ name, filename, text, bytes = 0 }) => {
    return {
      label: `part ${name}`,
      text: text ?? `[${filename === undefined ? '' : `${filename}, `}${counted(bytes, 'byte')}]`,
    }
  })
}

function bodyText(body: ResponseBody): string {
  if ('json' in body) return compact(body.json)
  if ('text' in body) return body.text
  if ('lines' in body) return body.lines.join('\n')
  const size = counted(bodyBytes(body), 'byte')
  if ('events' in body) return `[${counted(body.events.length, 'event')}, ${size}]`
  if (!('file' in body)) return `[${size}]`
  return `[side file ${body.file.slice(0, 8)}…${body.file.slice(sha256Length)}, ${size}]`
}

/** Hex digits, before the extension. */
const sha256Length = 64
