import type { ErrorDetails } from '../codes.ts'
import type { Remedy } from '../divergence-details.ts'
import { composeMessage, counted, grouped, quoted } from './compose-message.ts'

type Details = ErrorDetails['TURNTAPE_MISSING_CASSETTE']

/** TURNTAPE_MISSING_CASSETTE: there is nothing to replay, and this mode does not record. */
export function missingCassetteMessage(details: Details): string {
  const { test, cassette, request, move } = details
  return composeMessage({
    headline: `No cassette for ${quoted(test)}`,
    facts: [
      ['test', test],
      ['expected at', cassette],
      ['request', request],
      ['found', move?.from],
    ],
    paragraphs: [...(move === undefined ? [] : [foundSentence(move)]), reasonOf(details)],
    remedies: remediesOf(details),
  })
}

function foundSentence({ candidates = 1 }: NonNullable<Details['move']>): string {
  const moved = 'was the test renamed or moved?'
  if (candidates === 1)
    return `The cassette that was found begins with this very request and belongs to no test: ${moved}`
  return `${grouped(candidates)} cassettes begin with this very request and belong to no test, this one is the likeliest: ${moved}`
}

function reasonOf({ ci, mode }: Details): string {
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

function remediesOf({ ci, move, recordCommand }: Details): Remedy[] {
  const locally = ci ? ' locally and commit the files' : ''
  const what = move?.moves === undefined ? 'it' : `all ${counted(move.moves, 'cassette')} of that file`
  const moving = move === undefined ? [] : [{ why: `Move ${what}${locally}`, command: move.command }]
  const record = ci ? 'ecord it locally and commit the file' : 'ecord it'
  return [...moving, { why: move === undefined ? `R${record}` : `Or r${record}`, command: recordCommand }]
}
