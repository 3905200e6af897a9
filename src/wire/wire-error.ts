/** The error in an error body or event, as any of the providers writes it. */
import type { Json } from '../core/cassette/document.ts'
import type { WireError } from './block.ts'
import { filledOf, type JsonObject, numberOf, objectOf, withoutUndefined } from './read-json.ts'

/**
 * Undefined: the value tells of no error. Known forms: `{"error": {…}}`, `{"error": "text"}` (Hugging Face),
 * `{"object": "error", "message"}` or `{"type": "error", "message"}` without nesting (Mistral, vLLM, Responses), and a
 * body of nothing but a message (Bedrock, gateways).
 */
export function readError(value: JsonObject): WireError | undefined {
  const { error } = value
  if (typeof error === 'string' && error !== '') return { message: error, raw: value }
  const nested = objectOf(error)
  if (nested !== undefined) return errorOf(nested, value)
  const names = Object.keys(value)
  const isBare =
    names.some((name) => name === 'message' || name === 'detail') && names.every((name) => bareNames.has(name))
  return value.object === 'error' || value.type === 'error' || isBare ? errorOf(value, value) : undefined
}

const bareNames: ReadonlySet<string> = new Set([
  'message',
  'Message',
  'detail',
  'code',
  'status',
  'request_id',
  '__type',
])

function errorOf(error: JsonObject, raw: Json): WireError {
  const type = error.type === 'error' ? undefined : filledOf(error.type)
  const told = error.message ?? error.detail
  return withoutUndefined<WireError>({
    type: type ?? filledOf(error.status),
    code: filledOf(error.code) ?? numberOf(error.code),
    message: typeof told === 'string' ? told : told === undefined ? '' : JSON.stringify(told),
    raw,
  })
}
