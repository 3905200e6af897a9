import type { ErrorDetails, UnusedItem } from '../codes.ts'
import type { Remedy } from '../divergence-details.ts'
import { elideMiddle } from '../elide.ts'
import { composeMessage, counted, quoted } from './compose-message.ts'

const shownItems = 8

/** TURNTAPE_UNUSED: recorded, but this run never asked for it. */
export function unusedMessage(details: ErrorDetails['TURNTAPE_UNUSED']): string {
  const { total, unused } = details
  const shown = unused.slice(0, shownItems)
  const lines = ['recorded, but not asked for', ...shown.map(itemLine)]
  if (total > shown.length) lines.push(`  … and ${counted(total - shown.length, 'more call')}`)
  return composeMessage({
    headline: `${counted(total, 'recorded call')} ${total === 1 ? 'was' : 'were'} not made: ${quoted(details.test)}`,
    facts: [
      ['test', details.test],
      ['cassette', details.cassette],
    ],
    lines,
    remedies: remediesOf(details),
  })
}

function itemLine({ number, turn, lane, request }: UnusedItem): string {
  const turnWords = turn === undefined ? '' : ` (turn ${turn})`
  const laneWords = lane === undefined ? '' : `, lane ${quoted(lane, 30)}`
  return `  interaction ${number}${turnWords}  ${elideMiddle(request, 90)}${laneWords}`
}

function remediesOf({ ci, recordCommand, total, updateCommand }: ErrorDetails['TURNTAPE_UNUSED']): Remedy[] {
  const remedies: Remedy[] = []
  const [they, them] = total === 1 ? ['it is', 'it'] : ['they are', 'them']
  if (updateCommand !== undefined && ci !== true) {
    remedies.push({
      why: `If ${they} no longer made, drop ${them} (the calls that match cost nothing)`,
      command: updateCommand,
    })
  } else if (recordCommand !== undefined) {
    const why = ci === true ? 'record this test locally and commit the cassette' : 'record this test again'
    remedies.push({ why: `If ${they} no longer made, ${why}`, command: recordCommand })
  }
  return [...remedies, { why: `If ${they} made in some runs only, allow that`, command: 'allow: { unused: true }' }]
}
