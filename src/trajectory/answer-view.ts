/** An answer as it is compared: what it says, without time, cuts and ids. */
import {
  type Failure,
  type HttpInteraction,
  type Interaction,
  isHttpInteraction,
  type Json,
  type ResponseBody,
} from '../core/cassette/document.ts'
import { answerContent } from '../wire/same-content.ts'
import { decodedAnswer, type SideFileReader } from './decoded-answer.ts'

export function answerView(interaction: Interaction, sideFiles: SideFileReader): Json {
  if (!isHttpInteraction(interaction)) return interaction.result as unknown as Json
  const { response } = interaction
  if (response === undefined) return attemptView(interaction)
  const answer = decodedAnswer(interaction, sideFiles)
  if (answer !== undefined) return { status: response.status, ...(answerContent(answer) as object) }
  const { body } = response
  return { status: response.status, ...(body !== undefined && bodyView(body)) }
}

/** How a call failed: the status, or the failure without its words, which name ports and times. */
export function attemptView({ response, failure }: HttpInteraction): Json {
  if (response === undefined) return failure === undefined ? {} : { failure: failureView(failure) }
  const { end } = response.body ?? {}
  return { status: response.status, ...(end?.kind === 'failed' && { failure: failureView(end.failure) }) }
}

function failureView({ stage, name, code, cause }: Failure): Json {
  return {
    stage,
    name,
    ...(code !== undefined && { code }),
    ...(cause !== undefined && { cause: failureView(cause) }),
  }
}

/** The content of a stored body; of a stream its events. */
function bodyView(body: ResponseBody): { readonly body: Json; readonly end?: string } {
  const end = body.end === undefined || body.end.kind === 'complete' ? {} : { end: body.end.kind }
  if ('json' in body) return { body: body.json, ...end }
  if ('text' in body) return { body: body.text, ...end }
  if ('lines' in body) return { body: body.lines.join('\n'), ...end }
  if ('events' in body) return { body: body.events as unknown as Json, ...end }
  if ('base64' in body) return { body: body.base64, ...end }
  return { body: { sha256: body.sha256, bytes: body.bytes }, ...end }
}
