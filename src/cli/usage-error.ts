import { ReplayError } from '../errors/replay-error.ts'

/** A command that was not understood or names what is not there: exit code 2. `remedy` is one sentence. */
export function usageError(problem: string, remedy: string): ReplayError {
  return new ReplayError('TURNTAPE_USAGE', { problem, remedy })
}
