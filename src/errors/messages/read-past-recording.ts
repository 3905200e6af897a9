import type { ErrorDetails } from '../codes.ts'
import { composeMessage, counted } from './compose-message.ts'

/** TURNTAPE_READ_PAST_RECORDING: the run reads on where the recording caller had stopped. */
export function readPastRecordingMessage(details: ErrorDetails['TURNTAPE_READ_PAST_RECORDING']): string {
  const { chunks, elements } = details
  const seen = chunks === undefined ? counted(elements ?? 0, 'element') : counted(chunks, 'chunk')
  const stopped = details.end === 'aborted' ? 'the caller aborted the call' : 'the caller stopped reading'
  return composeMessage({
    headline: `Interaction ${details.interaction} was read further than it was recorded`,
    facts: [
      ['test', details.test],
      ['cassette', details.cassette],
      ['recorded', `${seen}, then ${stopped}`],
    ],
    paragraphs: ['What came after was never seen, so it cannot be replayed, and an empty end would be a lie.'],
    remedies: [{ why: 'If the test is meant to read on, record it again', command: details.recordCommand }],
  })
}
