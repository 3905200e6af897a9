import type { ErrorDetails } from '../codes.ts'
import { elide, elideMiddle } from '../elide.ts'
import { composeMessage, counted, quoted } from './compose-message.ts'

const shownFindings = 5

/** TURNTAPE_MISSING_KEY: a live call would carry the placeholder that stands for an unset variable. */
export function missingKeyMessage(details: ErrorDetails['TURNTAPE_MISSING_KEY']): string {
  return composeMessage({
    headline: `${elide(details.variable, 80)} is not set; recording needs it`,
    facts: [
      ['test', details.test],
      ['cassette', details.cassette],
      ['request', details.request],
    ],
    paragraphs: [
      'The call would have carried a placeholder instead of a key, so it was not sent. Set the variable in the ' +
        'environment of this run and run it again. A recorded test needs no key.',
    ],
  })
}

/** TURNTAPE_PLACEHOLDER_LIVE: a replayed prefix leads into a live call that cannot be made. */
export function placeholderLiveMessage(details: ErrorDetails['TURNTAPE_PLACEHOLDER_LIVE']): string {
  return composeMessage({
    headline: `A call cannot go live, it holds what was never stored: ${quoted(details.test)}`,
    facts: [
      ['test', details.test],
      ['request', details.request],
      ['holds', details.placeholder],
    ],
    paragraphs: [
      'The earlier turns were replayed, and the call repeats a value from them that was redacted or made up. ' +
        'The provider would not know it, so the call was not sent.',
    ],
    remedies: [{ why: 'Record the whole test, so that every turn is live', command: details.recordCommand }],
  })
}

/** TURNTAPE_FAKE_TIMERS: a live call under fake timers. */
export function fakeTimersMessage({ test, request, realTimers }: ErrorDetails['TURNTAPE_FAKE_TIMERS']): string {
  return composeMessage({
    headline: `Recording is refused under fake timers: ${quoted(test)}`,
    facts: [
      ['test', test],
      ['request', request],
    ],
    paragraphs: [
      'A live answer takes real time, which stands still here. Replaying works under fake timers of any kind.',
    ],
    remedies: [{ why: 'Fake the date only', command: realTimers }],
  })
}

/** TURNTAPE_VALUE_NOT_JSON: a tool's or `call`'s value that a cassette could not give back. */
export function valueNotJsonMessage(details: ErrorDetails['TURNTAPE_VALUE_NOT_JSON']): string {
  const what = { input: 'input', value: 'result', element: 'element' }[details.what]
  return composeMessage({
    headline: `The ${what} of ${quoted(details.name, 60)} does not survive JSON: ${elide(details.found, 60)}`,
    facts: [
      ['test', details.test],
      ['place', details.pointer === '' ? 'the value itself' : details.pointer],
      ['found', details.found],
    ],
    paragraphs: [
      'A cassette holds JSON: null, booleans, finite numbers, strings, arrays and plain objects. Replayed, this value ' +
        'would be another one, so nothing is recorded. Hand over its JSON form, for example an ISO string for a Date, ' +
        (details.what === 'input'
          ? 'or say what is recorded of the arguments: tape.tool(name, fn, { input: (...args) => json }).'
          : 'or say how it is stored and made again: { encode, decode } as the last argument of tape.tool or tape.call.'),
    ],
  })
}

/** TURNTAPE_SECRET_FOUND: the last scan refused the write. Names places, never values. */
export function secretFoundMessage(details: ErrorDetails['TURNTAPE_SECRET_FOUND']): string {
  const { findings, pendingPath } = details
  const shown = findings.slice(0, shownFindings)
  const lines = shown.flatMap(({ place, rule }) => [`${elideMiddle(place, 100)}`, `  holds ${elide(rule, 90)}`])
  if (findings.length > shown.length) lines.push(`… and ${counted(findings.length - shown.length, 'more place')}`)
  const commands = [...new Set(findings.map(({ remedy }) => remedy))].slice(0, 2)
  return composeMessage({
    headline: `Not written, ${counted(findings.length, 'place')} would give a secret away: ${quoted(details.test)}`,
    facts: [
      ['test', details.test],
      ['cassette', details.cassette],
      ['kept at', pendingPath],
    ],
    lines,
    remedies: commands.map((command, index) => ({
      why: index === 0 ? 'Remove it before it is stored' : 'And',
      command,
    })),
    paragraphs:
      pendingPath === undefined
        ? ['Have it removed as below, then run the test again.']
        : [
            'Have it removed as below, then run the test again. Until then it is kept, in clear text, readable by you alone.',
          ],
  })
}
