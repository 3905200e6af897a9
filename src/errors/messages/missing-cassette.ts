import type { ErrorDetails } from '../codes.ts'
import type { Remedy } from '../divergence-details.ts'
import { composeMessage, quoted } from './compose-message.ts'

/** TURNTAPE_MISSING_CASSETTE: there is nothing to replay, and this mode does not record. */
export function missingCassetteMessage(details: ErrorDetails['TURNTAPE_MISSING_CASSETTE']): string {
  return composeMessage({
    headline: `No cassette for ${quoted(details.test)}`,
    facts: [
      ['test', details.test],
      ['expected at', details.cassette],
      ['request', details.request],
      ['found', details.move?.from],
    ],
    paragraphs: [...(details.move === undefined ? [] : [moveSentence]), reasonOf(details)],
    remedies: remediesOf(details),
  })
}

const moveSentence =
  'The cassette that was found begins with this very request and belongs to no test: was the test renamed or moved?'

function reasonOf({ ci, mode }: ErrorDetails['TURNTAPE_MISSING_CASSETTE']): string {
  if (ci) return 'In CI nothing is recorded, so there is nothing to replay.'
  switch (mode) {
    case 'auto':
      return 'Before a new recording is paid for, decide which one you want.'
    case 'rebase':
      return 'Mode rebase rewrites the requests of a cassette that exists; it records nothing new.'
    default:
      return `Mode ${mode} records nothing, so there is nothing to replay.`
  }
}

function remediesOf({ ci, move, recordCommand }: ErrorDetails['TURNTAPE_MISSING_CASSETTE']): Remedy[] {
  const locally = ci ? ' locally and commit the file' : ''
  const moving = move === undefined ? [] : [{ why: `Move it${locally}`, command: move.command }]
  const record = ci ? 'ecord it locally and commit the file' : 'ecord it'
  return [...moving, { why: move === undefined ? `R${record}` : `Or r${record}`, command: recordCommand }]
}
