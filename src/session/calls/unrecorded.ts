import type { CapturedRequest } from '../../core/capture/captured-request.ts'
import { describeCall } from '../../core/capture/describe-call.ts'
import { ReplayError } from '../../errors/replay-error.ts'
import type { Verdict } from '../../interception/router.ts'
import { missResponse } from '../../replaying/miss-response.ts'
import type { SessionContext } from '../session-context.ts'
import { contextValue } from './context-value.ts'

const tools = contextValue<string>('unrecorded.1')

/** AR-26: runs a tool for real in a replay. What it asks of the outside is no part of any recording. */
export function runUnrecorded<R>(tool: string, live: () => R): R {
  return tools.run(tool, live)
}

/** The tool inside which this call is made; undefined: none. */
export function unrecordedTool(): string | undefined {
  return tools.get()
}

interface CallInTool {
  readonly tool: string
  readonly kind: 'model' | 'http'
  readonly request: CapturedRequest
}

/** Nothing of a replay goes to the network, a tool that runs for real included. */
export function refuseInTool(context: SessionContext, { tool, kind, request }: CallInTool): Verdict {
  const { test, redactor, failures } = context
  const call = describeCall(request.method, redactor.text(request.url))
  const error = new ReplayError('TURNTAPE_LIVE_IN_REPLAY', { test: test.fullName, tool, request: call })
  failures.add(error)
  if (kind === 'http') return { kind: 'reject', error }
  return { kind: 'respond', response: missResponse(error.message, request.url) }
}
