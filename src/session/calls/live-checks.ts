import type { CapturedRequest } from '../../core/capture/captured-request.ts'
import { describeCall } from '../../core/capture/describe-call.ts'
import { recordCommand } from '../../errors/commands.ts'
import { ReplayError } from '../../errors/replay-error.ts'
import { placeholderIn } from '../../redaction/placeholder.ts'
import type { SessionContext } from '../session-context.ts'
import { placeholderCredential } from './credentials.ts'
import { hasFakeTimers } from './fake-timers.ts'

/** Why this call must not go live, or undefined. Order: fake timers, missing key, a placeholder from the cassette. */
export function refuseLive(context: SessionContext, request: CapturedRequest): ReplayError | undefined {
  const { test } = context
  const call = describeCall(request.method, context.redactor.text(request.url))
  if (hasFakeTimers(context.realm)) {
    const { realTimers } = context.host
    return new ReplayError('TURNTAPE_FAKE_TIMERS', { test: test.fullName, request: call, realTimers })
  }
  const variable = placeholderCredential(request)
  if (variable !== undefined) {
    const details = { variable, request: call, test: test.fullName, cassette: test.cassette }
    return new ReplayError('TURNTAPE_MISSING_KEY', details)
  }
  if (context.log.count('served') === 0) return undefined
  const placeholder = placeholderIn(`${request.url}\n${new TextDecoder().decode(request.body)}`)
  if (placeholder === undefined) return undefined
  const details = { test: test.fullName, request: call, placeholder, recordCommand: recordCommand(test) }
  return new ReplayError('TURNTAPE_PLACEHOLDER_LIVE', details)
}
