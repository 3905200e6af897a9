import { workerState } from '../worker-state.ts'
import type { StrayCall } from './stray-call.ts'

/** A loop that nobody awaits must not fill the memory. */
const maxStrayCalls = 1000

/** Keeps the call for the report of the test file that runs in this worker now. */
export function keepStrayCall(call: StrayCall): void {
  const strays = workerState().file?.strays
  if (strays !== undefined && strays.length < maxStrayCalls) strays.push(call)
}
