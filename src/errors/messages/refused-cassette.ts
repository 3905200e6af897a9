import type { ErrorDetails, RefusedCall } from '../codes.ts'
import { cassetteCommand } from '../commands.ts'
import type { Remedy } from '../divergence-details.ts'
import { elide, elideMiddle } from '../elide.ts'
import { composeMessage, counted, quoted } from './compose-message.ts'

const shownCalls = 4

/** TURNTAPE_UNVERIFIABLE: a pass would say nothing, since nothing can be compared. */
export function unverifiableMessage(details: ErrorDetails['TURNTAPE_UNVERIFIABLE']): string {
  const { calls, cassette, count, recordCommand, test, total } = details
  return composeMessage({
    headline: `${count} of ${counted(total, 'recorded call')} cannot be checked: ${quoted(test)}`,
    facts: factsOf(test, cassette),
    lines: callLines('what was sent is not all on the cassette', { calls, count }),
    remedies: [
      allowRemedy('Serve them in their place, unchecked', 'unhashed'),
      { why: 'Or record this test again', command: recordCommand },
    ],
  })
}

/** TURNTAPE_SUBSTITUTED: before and after belong to different workspaces. */
export function substitutedMessage(details: ErrorDetails['TURNTAPE_SUBSTITUTED']): string {
  const { calls, cassette, count, recordCommand, test } = details
  return composeMessage({
    headline: `The recording goes on in another workspace part way: ${quoted(test)}`,
    facts: factsOf(test, cassette),
    lines: callLines('from here on', { calls, count }),
    paragraphs: ['What tools found before and after that belongs to different files, so no run can make all of it.'],
    remedies: [
      allowRemedy('Replay it all the same', 'substitution'),
      { why: 'Or record this test again', command: recordCommand },
    ],
  })
}

/** TURNTAPE_INCOMPLETE: the recording stops inside a call. */
export function incompleteMessage(details: ErrorDetails['TURNTAPE_INCOMPLETE']): string {
  const { calls, cassette, count, recordCommand, test } = details
  return composeMessage({
    headline: `The recording stops inside ${count === 1 ? 'a call' : counted(count, 'call')}: ${quoted(test)}`,
    facts: factsOf(test, cassette),
    lines: callLines('not complete', { calls, count }),
    remedies: [
      allowRemedy('Replay it as far as it goes', 'incomplete'),
      { why: 'Or record this test again', command: recordCommand },
    ],
  })
}

/** TURNTAPE_CALL_ID_REPEATED: nothing says which of two results a call is to get. */
export function callIdRepeatedMessage(details: ErrorDetails['TURNTAPE_CALL_ID_REPEATED']): string {
  const { callId, cassette, first, lane, recordCommand, second, test, tool, when } = details
  return composeMessage({
    headline: `Two calls of ${quoted(tool, 40)} share the id ${quoted(callId, 30)}, and nothing tells them apart`,
    facts: [
      ...factsOf(test, cassette),
      ['lane', lane],
      ['calls', `interaction ${first} and interaction ${second}: equal arguments, different results, at the same time`],
    ],
    paragraphs: [
      when === 'recording'
        ? 'A replay could not say which result belongs to which call, so this was not written.'
        : 'A replay could not say which result belongs to which call.',
    ],
    remedies: [
      { why: 'If two independent callers made them, name each', command: "tape.lane('name', () => …)" },
      { why: 'Or serve them in the order recorded, and check no call of this test', command: 'strict: false' },
      ...(when === 'recording' ? [] : [{ why: 'Then record this test again', command: recordCommand }]),
    ],
  })
}

/** TURNTAPE_UNKNOWN_POINT: a part of the cassette was asked for that is not there. */
export function unknownPointMessage(details: ErrorDetails['TURNTAPE_UNKNOWN_POINT']): string {
  const { cassette, option, test, turn, turns } = details
  const has = turns === undefined ? 'there is no cassette yet' : `the cassette has ${counted(turns, 'turn')}`
  return composeMessage({
    headline: `There is no turn ${turn} to replay ${option === 'from' ? 'from' : 'up to'}: ${has}`,
    facts: [...factsOf(test, cassette), ['option', `${option}: ${turn}`]],
    paragraphs: [
      turns === undefined
        ? 'A part can be replayed of what is recorded. Record the whole test first, without this option.'
        : 'Turns are counted from 1, over all lanes.',
    ],
    remedies: turns === undefined ? [] : [{ why: 'To see them', command: cassetteCommand('show', cassette) }],
  })
}

function factsOf(test: string, cassette: string): readonly (readonly [string, string])[] {
  return [
    ['test', test],
    ['cassette', cassette],
  ]
}

function callLines(
  heading: string,
  { calls, count }: { readonly calls: readonly RefusedCall[]; readonly count: number },
): string[] {
  const shown = calls.slice(0, shownCalls)
  const lines = shown.flatMap(({ lane, number, reason, request, turn }) => [
    `  interaction ${number}${turn === undefined ? '' : ` (turn ${turn})`}  ${elideMiddle(request, 80)}${lane === undefined ? '' : `, lane ${quoted(lane, 30)}`}`,
    `    ${elide(reason, 140)}`,
  ])
  if (count > shown.length) lines.push(`  … and ${counted(count - shown.length, 'more call')}`)
  return [heading, ...lines]
}

function allowRemedy(why: string, allowance: 'unhashed' | 'substitution' | 'incomplete'): Remedy {
  return { why, command: `allow: { ${allowance}: true }` }
}
