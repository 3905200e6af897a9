/**
 * Normalisers: rules by which two requests count as equal although their hashes differ (F14). They run on both sides,
 * the stored request and the present one, each time they are compared, so that changing one re-records nothing.
 * Owns running them and refusing what they must not give back; knows nothing of the queue or of redaction.
 */
import { ReplayError } from '../../errors/replay-error.ts'
import type { Json } from '../cassette/document.ts'
import { findNotJson } from './find-not-json.ts'

/** A request as normalisers see it: redacted, and a copy that may be changed in place. */
export interface NormalisedRequest {
  /** `POST`. For a tool call `TOOL`, for a `call` `CALL`. */
  readonly method: string
  /** Absolute, as stored. For a tool call or a `call`: its name. */
  readonly url: string
  /** Lower-case names; only the headers that count, and `content-type`. */
  readonly headers: Readonly<Record<string, string>>
  /**
   * The JSON value; a string for a text body; the list of parts for multipart; undefined without a body.
   * A number that no double holds is `{ '<exact number>': '9007199254740993e0' }`.
   */
  readonly body: Json | undefined
}

/** Gives the request as it should count. Pure and synchronous. */
export type Normaliser = (request: NormalisedRequest) => NormalisedRequest

/**
 * Applies the normalisers in order. Throws TURNTAPE_INVALID_OPTION, naming the index, for one that throws or gives
 * back no request.
 */
export function applyNormalisers(request: NormalisedRequest, normalisers: readonly Normaliser[]): NormalisedRequest {
  return normalisers.reduce((current, normaliser, index) => applyOne({ current, normaliser, index }), request)
}

interface Application {
  readonly current: NormalisedRequest
  readonly normaliser: Normaliser
  readonly index: number
}

function applyOne({ current, normaliser, index }: Application): NormalisedRequest {
  let result: unknown
  try {
    result = normaliser(current)
  } catch (cause) {
    throw invalidNormaliser({ index, does: `throws: ${cause instanceof Error ? cause.message : String(cause)}`, cause })
  }
  const fault = faultOf(result)
  if (fault !== undefined) throw invalidNormaliser({ index, does: `returns ${fault}` })
  return result as NormalisedRequest
}

/** What is wrong with the shape of a result, or undefined. */
function faultOf(result: unknown): string | undefined {
  if (typeof result !== 'object' || result === null) return result === null ? 'null' : typeof result
  if ('then' in result) return 'a promise'
  const { method, url, headers, body } = result as Partial<Record<keyof NormalisedRequest, unknown>>
  if (typeof method !== 'string') return 'an object without a string `method`'
  if (typeof url !== 'string') return 'an object without a string `url`'
  if (typeof headers !== 'object' || headers === null) return 'an object without `headers`'
  const wrong = Object.entries(headers).find(([, value]) => value !== undefined && typeof value !== 'string')
  if (wrong !== undefined) return `a header \`${wrong[0]}\` that is no string`
  const notJson = body === undefined ? undefined : findNotJson(body)
  return notJson === undefined ? undefined : `${notJson.found} at \`body${notJson.pointer}\``
}

interface Fault {
  readonly index: number
  /** Completes "a function that ...". */
  readonly does: string
  readonly cause?: unknown
}

function invalidNormaliser(fault: Fault): ReplayError {
  return new ReplayError(
    'TURNTAPE_INVALID_OPTION',
    {
      option: `normalise[${fault.index}]`,
      given: `a function that ${fault.does}`,
      expected: 'a synchronous function that returns { method, url, headers, body }, the body being JSON',
    },
    fault.cause === undefined ? undefined : { cause: fault.cause },
  )
}
