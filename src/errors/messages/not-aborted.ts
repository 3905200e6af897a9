import type { ErrorDetails } from '../codes.ts'
import { composeMessage } from './compose-message.ts'

/** TURNTAPE_NOT_ABORTED: the run waits for an answer that the recording caller gave up on. */
export function notAbortedMessage(details: ErrorDetails['TURNTAPE_NOT_ABORTED']): string {
  return composeMessage({
    headline: `Interaction ${details.interaction} never answers, and this run still waits for it`,
    facts: [
      ['test', details.test],
      ['cassette', details.cassette],
      ['call', details.request],
      ['recorded', `no answer; the caller gave up (${details.reason})`],
    ],
    paragraphs: [
      'What the server would have said was never seen. The call stays open, as it did live, until its caller aborts it; in this run nobody did.',
      'If the code under test is meant to give up, look at its timeout or AbortSignal.',
    ],
    remedies: [{ why: 'If it is meant to wait for the answer, record it again', command: details.recordCommand }],
  })
}
