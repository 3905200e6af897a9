/**
 * What a model answered, out of the body it answered with. Owns framing and the wires of the providers; knows nothing of
 * tests, turns or files, and reads a body without ever failing on it.
 */
import type { Json, ResponseBody } from '../core/cassette/document.ts'
import { AnswerDecoder } from './answer-decoder.ts'
import type { DecodedAnswer } from './block.ts'

export interface AnswerInput {
  readonly url: string
  readonly request?: Json
  /** As a cassette stores it, or the chunks as they came (decoded from any content encoding). */
  readonly body: ResponseBody | readonly Uint8Array[]
}

/**
 * The decoded answer; undefined where it speaks none of the known wires, or where a stored body is binary: then give its
 * chunks, as `decodeBody` makes them.
 */
export function decodeAnswer({ body, ...exchange }: AnswerInput): DecodedAnswer | undefined {
  const decoder = new AnswerDecoder(exchange)
  if (isChunks(body)) for (const chunk of body) decoder.push(chunk)
  else if (!pushStored(decoder, body)) return undefined
  decoder.end()
  return decoder.answer()
}

function isChunks(body: ResponseBody | readonly Uint8Array[]): body is readonly Uint8Array[] {
  return Array.isArray(body)
}

/** False: the stored form holds no text. */
function pushStored(decoder: AnswerDecoder, body: ResponseBody): boolean {
  if ('json' in body) {
    if (Array.isArray(body.json)) for (const data of body.json as readonly Json[]) decoder.pushEvent({ data })
    else decoder.pushEvent({ data: body.json })
  } else if ('events' in body) pushStoredEvents(decoder, body)
  else if ('text' in body) decoder.pushText(body.text)
  else if ('lines' in body) decoder.pushText(body.lines.join('\n'))
  else return false
  return true
}

function pushStoredEvents(decoder: AnswerDecoder, { events }: Extract<ResponseBody, { events: unknown }>): void {
  for (const event of events) {
    // Verbatim text may be anything, a piece of an event too: only reading it as a stream tells.
    if ('raw' in event) {
      decoder.pushText(event.raw)
      continue
    }
    const name = event.event === undefined ? {} : { name: event.event }
    if ('data' in event) decoder.pushEvent({ ...name, data: event.data })
    else decoder.pushItem({ ...name, text: event.text })
  }
}
