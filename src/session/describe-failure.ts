import { isReplayError } from '../errors/replay-error.ts'
import type { SessionReport } from './session-report.ts'

/** What a report says of the failure of a test. */
export function describeFailure(error: Error): NonNullable<SessionReport['failure']> {
  const { message } = error
  if (isReplayError(error)) {
    const { code, details, shortMessage } = error
    const move = 'move' in details ? details.move : undefined
    const offered = move === undefined ? {} : { move: { from: move.from, command: move.command } }
    return { code, message: shortMessage, text: message, ...offered }
  }
  return { code: error.name, message: message.split('\n', 1)[0] as string, text: message }
}
