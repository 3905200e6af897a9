import type { CapturedRequest } from '../../core/capture/captured-request.ts'
import type { CallClass } from '../../core/capture/classify.ts'
import type { RunEntry } from '../run-log.ts'

/** One captured HTTP call on its way through a session. */
export interface HttpCall {
  readonly captured: CapturedRequest
  readonly kind: Extract<CallClass, 'model' | 'http'>
  readonly lane: string | undefined
  readonly entry: RunEntry
}
