import type { ErrorDetails } from '../codes.ts'
import { elide } from '../elide.ts'
import { composeMessage, quoted } from './compose-message.ts'

/** TURNTAPE_INVALID_MODE */
export function invalidModeMessage({ given, source, valid }: ErrorDetails['TURNTAPE_INVALID_MODE']): string {
  const where = source === 'TURNTAPE_MODE' ? 'The variable TURNTAPE_MODE' : 'The option mode'
  const meant =
    valid.find((mode) => mode === given.trim().toLowerCase()) ?? valid.find((mode) => isOneEditAway(given, mode))
  return composeMessage({
    headline: `${where} is ${quoted(given, 40)}, which is no record mode`,
    facts: [
      ['valid', valid.map((mode) => elide(mode, 40)).join(', ')],
      ['meant', meant === undefined ? undefined : `${meant}?`],
    ],
  })
}

/** TURNTAPE_INVALID_OPTION */
export function invalidOptionMessage({ option, given, expected }: ErrorDetails['TURNTAPE_INVALID_OPTION']): string {
  return composeMessage({
    headline: `The option ${quoted(option, 60)} is not valid`,
    facts: [['given', given]],
    paragraphs: [`Expected: ${expected}.`],
  })
}

/** TURNTAPE_NOT_IN_TEST */
export function notInTestMessage({ call, reason, instead }: ErrorDetails['TURNTAPE_NOT_IN_TEST']): string {
  return composeMessage({
    headline: `${elide(call, 60)} cannot be used here`,
    paragraphs: [reason],
    remedies: [{ why: 'Write instead', command: instead }],
  })
}

/** TURNTAPE_RESET_WHILE_RECORDING */
export function resetWhileRecordingMessage({ mode }: ErrorDetails['TURNTAPE_RESET_WHILE_RECORDING']): string {
  return composeMessage({
    headline: `tape.reset() needs a replay; this run records (mode ${elide(mode, 20)})`,
    paragraphs: [
      'It starts the replay again from the first call. While recording it would pay for the calls twice, and the ' +
        'cassette would hold both. Leave it out, or make the second pass a test of its own.',
    ],
  })
}

/** TURNTAPE_USAGE */
export function usageMessage({ problem, remedy }: ErrorDetails['TURNTAPE_USAGE']): string {
  return composeMessage({ headline: elide(problem, 150), paragraphs: [remedy] })
}

/** One letter changed, added or left out, or two neighbours swapped. */
function isOneEditAway(given: string, mode: string): boolean {
  const [word, valid] = [given.slice(0, 40).toLowerCase(), mode.slice(0, 40)]
  const without = (text: string, index: number) => text.slice(0, index) + text.slice(index + 1)
  const shortened = new Set(Array.from(valid, (_, index) => without(valid, index)))
  if (shortened.has(word)) return true
  return Array.from(word, (_, index) => without(word, index)).some((text) => text === valid || shortened.has(text))
}
