import type { HttpInteraction, Json, ResponseBody } from '../core/cassette/document.ts'
import { parseJson } from '../core/cassette/json-text.ts'
import type { DecodedAnswer, Wire } from '../wire/block.ts'
import { wireOfPath } from '../wire/choose-wire.ts'
import { decodeAnswer } from '../wire/decode-answer.ts'

/** Side files by name, read when asked for. */
export interface SideFileReader {
  get(name: string): Uint8Array | undefined
}

/** For interactions whose bodies all lie in the document. */
export const noSideFiles: SideFileReader = new Map<string, Uint8Array>()

// By body, since `tape.turns` is built anew at each use while the stored bodies stay the same.
const known = new WeakMap<ResponseBody, { readonly answer: DecodedAnswer | undefined }>()

/** The answer of a model call, decoded once; undefined where there is none, or none of a wire that we know. */
export function decodedAnswer(interaction: HttpInteraction, sideFiles: SideFileReader): DecodedAnswer | undefined {
  return interaction.kind === 'model' ? decodedBody(interaction, sideFiles) : undefined
}

/** The same of any HTTP call: a response that ran in the background is read by another one. */
export function decodedBody(interaction: HttpInteraction, sideFiles: SideFileReader): DecodedAnswer | undefined {
  const body = interaction.response?.body
  if (body === undefined) return undefined
  const found = known.get(body)
  if (found !== undefined) return found.answer
  const request = requestValue(interaction)
  const answer = decodeAnswer({
    url: interaction.request.url,
    ...(request !== undefined && { request }),
    body: binaryChunks(body, sideFiles) ?? body,
  })
  known.set(body, { answer })
  return answer
}

/** Bytes that no text form holds; cuts say nothing of what an answer means. */
function binaryChunks(body: ResponseBody, sideFiles: SideFileReader): readonly Uint8Array[] | undefined {
  if ('base64' in body) return [Uint8Array.from(Buffer.from(body.base64, 'base64'))]
  const bytes = 'file' in body ? sideFiles.get(body.file) : undefined
  return bytes === undefined ? undefined : [bytes]
}

/** The wire that a model call speaks; undefined: none that we know. */
export function wireOfCall(interaction: HttpInteraction, sideFiles: SideFileReader): Wire | undefined {
  return decodedAnswer(interaction, sideFiles)?.wire ?? wireOfPath(interaction.request.url)
}

/** The request body as a value; undefined where it is no JSON. */
export function requestValue({ request: { body } }: HttpInteraction): Json | undefined {
  if (body === undefined || 'parts' in body || 'sha256' in body) return undefined
  if ('json' in body) return body.json
  return parseJson('text' in body ? body.text : body.lines.join('\n'))
}
