import { describeCall, modelOf } from '../core/capture/describe-call.ts'
import type { HttpRequest } from '../core/cassette/document.ts'
import { recordCommand } from '../errors/commands.ts'
import { ReplayError } from '../errors/replay-error.ts'
import type { SessionContext } from './session-context.ts'

/** The failure of a test that has no cassette in a mode that may not record. */
export function missingCassette(context: SessionContext, request?: HttpRequest): ReplayError {
  const { test, mode } = context
  const body = request?.body !== undefined && 'json' in request.body ? request.body.json : undefined
  return new ReplayError('TURNTAPE_MISSING_CASSETTE', {
    test: test.fullName,
    cassette: test.cassette,
    mode: mode.mode,
    ci: mode.ci,
    ...(request === undefined ? {} : { request: describeCall(request.method, request.url, modelOf(body)) }),
    recordCommand: recordCommand(test),
  })
}
