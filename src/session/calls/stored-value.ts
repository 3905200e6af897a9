import type { Json } from '../../core/cassette/document.ts'
import { findNotJson } from '../../core/matching/find-not-json.ts'
import { ReplayError } from '../../errors/replay-error.ts'
import type { SessionContext } from '../session-context.ts'
import type { ValueCall } from './value-call.ts'

/** As it is stored: redacted. Errors: TURNTAPE_VALUE_NOT_JSON. */
export function storedJson(
  context: SessionContext,
  call: ValueCall,
  what: 'input' | 'value' | 'element',
  value: unknown,
): Json {
  const wrong = findNotJson(value)
  if (wrong === undefined) return context.redactor.json(JSON.parse(JSON.stringify(value)) as Json)
  throw new ReplayError('TURNTAPE_VALUE_NOT_JSON', { test: context.test.fullName, name: call.name, what, ...wrong })
}

/** The same of what the live function gave, encoded first. Errors: TURNTAPE_VALUE_NOT_JSON, TURNTAPE_USAGE. */
export function storedResult(
  context: SessionContext,
  call: ValueCall,
  what: 'value' | 'element',
  value: unknown,
): Json {
  const encode = call.codec?.encode
  if (encode === undefined) return storedJson(context, call, what, value)
  let encoded: unknown
  try {
    encoded = encode(value as never)
  } catch (cause) {
    throw new ReplayError('TURNTAPE_USAGE', {
      problem: `encode of "${call.name}" threw: ${String(cause)}`,
      remedy: 'It gets every value that the live function gives, and returns the JSON to record for it.',
    })
  }
  return storedJson(context, call, what, encoded)
}
