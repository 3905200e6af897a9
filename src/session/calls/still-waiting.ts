/** What is said of callers that wait at the end for what was never seen: their recorded ones had given up or stopped there. */
import { describeCall } from '../../core/capture/describe-call.ts'
import { chunkCount } from '../../core/cassette/decode-body.ts'
import type { HttpInteraction, ValueInteraction } from '../../core/cassette/document.ts'
import { recordCommand } from '../../errors/commands.ts'
import { ReplayError } from '../../errors/replay-error.ts'
import type { SessionContext } from '../session-context.ts'

/** The body was recorded in part, and is read on. */
export function readPast({ test }: SessionContext, { number, response }: HttpInteraction): ReplayError {
  const body = response?.body
  return new ReplayError('TURNTAPE_READ_PAST_RECORDING', {
    test: test.fullName,
    cassette: test.cassette,
    interaction: number,
    chunks: body === undefined ? 0 : chunkCount(body),
    end: body?.end?.kind === 'aborted' ? 'aborted' : 'partial',
    recordCommand: recordCommand(test),
  })
}

/** An iterable was recorded in part, and is read on. */
export function readPastElements({ test }: SessionContext, { number, result }: ValueInteraction): ReplayError {
  return new ReplayError('TURNTAPE_READ_PAST_RECORDING', {
    test: test.fullName,
    cassette: test.cassette,
    interaction: number,
    elements: 'elements' in result ? result.elements.length : 0,
    end: 'partial',
    recordCommand: recordCommand(test),
  })
}

/** The call was given up before it was answered, and is still waited for. */
export function notAborted({ test }: SessionContext, { number, request, failure }: HttpInteraction): ReplayError {
  return new ReplayError('TURNTAPE_NOT_ABORTED', {
    test: test.fullName,
    cassette: test.cassette,
    interaction: number,
    request: describeCall(request.method, request.url),
    reason: failure === undefined ? 'nothing is known of how' : `${failure.name}: ${failure.message}`,
    recordCommand: recordCommand(test),
  })
}
