import type { ErrorDetails } from '../codes.ts'
import { composeMessage, counted, quoted } from './compose-message.ts'

/** TURNTAPE_NOTHING_RECORDED: `turntape record` ran tests that are not covered, or that make no call to record. */
export function nothingRecordedMessage(details: ErrorDetails['TURNTAPE_NOTHING_RECORDED']): string {
  const { covered, tests, runner } = details
  const [only] = tests
  const which = tests.length === 1 && only !== undefined ? quoted(only) : counted(tests.length, 'test')
  if (covered) {
    return composeMessage({
      headline: `Nothing was recorded, no captured call was made: ${which}`,
      paragraphs: [
        'Captured are model calls, and calls to every host but this machine. The options capture and models add more; ' +
          'what ignore, passthrough and a mock of the test answer is not recorded.',
      ],
    })
  }
  return composeMessage({
    headline: `Nothing was recorded, no tape covers what ran: ${which}`,
    paragraphs: ['What a test calls is recorded where the test has a tape.'],
    remedies: [
      { why: 'Use the covered test function', command: `import { test } from 'turntape/${runner}'` },
      { why: 'Or call, in the test or its describe', command: 'useReplay()' },
      ...(runner === 'vitest'
        ? [{ why: 'Or cover files as they are', command: "replayPlugin({ include: ['test/agents/**'] })" }]
        : []),
    ],
  })
}
