/**
 * How a recorded iterable ends whose caller read no further: a failure of ours stands where its own would (F10). The next
 * element was never seen, and an end would be a lie.
 */
import type { Failure } from './document.ts'

export const readInPart: Failure = {
  stage: 'value',
  name: 'ReadInPart',
  message: 'the recorded caller read no further',
  code: 'TURNTAPE_READ_PAST_RECORDING',
}

export function isReadInPart(failure: Failure | undefined): boolean {
  return failure?.name === readInPart.name && failure.code === readInPart.code
}
