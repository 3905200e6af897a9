/**
 * A pending recording may be older than the rule that mends it: what is served of it passes today's redactor, so that the
 * line of code which a refusal asks for is enough and nothing is paid for twice.
 */
import { decodeBody } from '../../core/cassette/decode-body.ts'
import type { HttpInteraction, HttpResponse, ValueInteraction, ValueResult } from '../../core/cassette/document.ts'
import { encodeBody } from '../../core/cassette/encode-body.ts'
import type { SessionContext } from '../session-context.ts'
import type { RecordingSource } from './recording-source.ts'

/** The same object where nothing is found, and for what is committed. Of a request that changed the hash differs: it goes live. */
export function redactAgain<I extends HttpInteraction | ValueInteraction>(
  context: SessionContext,
  source: RecordingSource,
  interaction: I,
): I {
  if (source.from !== 'pending') return interaction
  if ('result' in interaction) return { ...interaction, result: redactResult(context, interaction.result) }
  const { response, failure } = interaction
  return {
    ...interaction,
    ...(response === undefined ? {} : { response: redactResponse(context, response, source) }),
    ...(failure === undefined ? {} : { failure: context.redactor.failure(failure) }),
  }
}

function redactResponse(
  { redactor }: SessionContext,
  response: HttpResponse,
  { sideFiles }: RecordingSource,
): HttpResponse {
  const { status, statusText = '', url = '', headers, body } = response
  const head = redactor.responseHead({ status, statusText, url, headers })
  return {
    ...response,
    ...(response.statusText === undefined ? {} : { statusText: head.statusText }),
    ...(response.url === undefined ? {} : { url: head.url }),
    headers: head.headers,
    ...(body === undefined || 'file' in body ? {} : { body: redactBody({ redactor }, { body, headers, sideFiles }) }),
  }
}

type Stored = Pick<HttpResponse, 'headers'> &
  Pick<RecordingSource, 'sideFiles'> & { readonly body: NonNullable<HttpResponse['body']> }

function redactBody(
  { redactor }: Pick<SessionContext, 'redactor'>,
  { body, headers, sideFiles }: Stored,
): NonNullable<HttpResponse['body']> {
  const contentType = headers.find(([name]) => name === 'content-type')?.[1]
  const recorded = decodeBody(body, sideFiles)
  const redacted = redactor.responseBody(recorded, contentType)
  return redacted === recorded ? body : (encodeBody(redacted, { contentType }).stored ?? body)
}

function redactResult({ redactor }: SessionContext, result: ValueResult): ValueResult {
  const failure = 'error' in result && result.error !== undefined ? { error: redactor.failure(result.error) } : {}
  if ('value' in result) return { ...result, value: redactor.json(result.value) }
  if ('elements' in result) return { ...result, elements: result.elements.map(redactor.json), ...failure }
  return { ...result, ...failure }
}
