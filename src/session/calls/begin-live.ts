import type { RunEntry } from '../run-log.ts'
import type { SessionContext } from '../session-context.ts'

/** The call goes live now. Before anything is paid for, it is seen what the files are: at the end they must be that still. */
export function beginLive(context: SessionContext, entry: RunEntry): void {
  const { host, test, pendingTokens } = context
  context.around()
  context.expectedToken()
  if (pendingTokens.size === 0) pendingTokens.add(host.store.pendingToken(test.cassette))
  entry.origin = 'live'
}
