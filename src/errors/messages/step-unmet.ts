import type { ErrorDetails } from '../codes.ts'
import { composeMessage, counted, quoted } from './compose-message.ts'

/** TURNTAPE_STEP_UNMET: the test ended while a step of `tape.hold()` still waited. */
export function stepUnmetMessage(details: ErrorDetails['TURNTAPE_STEP_UNMET']): string {
  const { part, wanted, count, lane } = details
  const what = part === undefined ? counted(wanted, 'chunk') : `${counted(wanted, 'part')} of kind ${quoted(part, 40)}`
  return composeMessage({
    headline: `The test ended while hold().next() still waited for ${what}`,
    facts: [
      ['test', details.test],
      ['lane', lane === undefined ? undefined : quoted(lane)],
      ['came', String(count)],
      ['streams', streamsFact(details)],
    ],
    paragraphs: [reasonOf(details)],
  })
}

function streamsFact({ streams, open }: ErrorDetails['TURNTAPE_STEP_UNMET']): string {
  return streams === 0 ? 'none began' : `${counted(streams, 'stream')} held, ${open} still open`
}

function reasonOf({ streams, open, lane }: ErrorDetails['TURNTAPE_STEP_UNMET']): string {
  if (open > 0) {
    return (
      'The code under test has not read on, or the step was not awaited. A step needs a reader that runs beside the test: ' +
      'start it, do not await it, then step.'
    )
  }
  if (streams > 0) return 'Every stream had ended: await the end of each step, and take no further one after done.'
  const where = lane === undefined ? '' : ' in this lane'
  return `No answer of a model was streamed${where} after hold() was called. Start the call first, without awaiting its end.`
}
