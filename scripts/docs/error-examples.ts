/** One example of each code's details, for `docs/errors.md`. A code without one is a type error. */
import type { ErrorCode, ErrorDetails } from '../../src/errors/codes.ts'
import { vitestRealTimers } from '../../src/errors/commands.ts'
import type { DivergenceDetails } from '../../src/errors/divergence-details.ts'

const test = 'books the cheapest flight'
const cassette = 'cassettes/test/flights.test/books-the-cheapest-flight.json'
const pendingPath = `node_modules/.cache/turntape/${cassette}`
const request = 'POST https://api.openai.com/v1/chat/completions gpt-5'
const recordCommand = `npx turntape record "test/flights.test.ts > ${test}"`

const diverged: DivergenceDetails = {
  kind: 'changed',
  test,
  cassette,
  mode: 'auto',
  turn: 2,
  recordedTurns: 3,
  lane: undefined,
  request,
  requestHash: '9f8e7d6c5b4a39281706f5e4d3c2b1a09f8e7d6c5b4a39281706f5e4d3c2b1a0',
  nearest: {
    number: 3,
    turn: 2,
    hash: 'a1b2c3d4e5f60718293a4b5c6d7e8f90a1b2c3d4e5f60718293a4b5c6d7e8f90',
    state: 'next',
  },
  changes: [
    {
      layer: 'messages',
      path: 'messages[2].content',
      change: 'changed',
      recorded: '… a flight to Oslo on Friday',
      present: '… a flight to Oslo on Monday',
    },
  ],
  changesTotal: 1,
  hints: [],
  remedies: [{ why: 'to accept the change', command: recordCommand }],
}

const noChanges = { changes: [], changesTotal: 0 }

export const errorExamples: { readonly [C in ErrorCode]: ErrorDetails[C] } = {
  TURNTAPE_DIVERGED: diverged,
  TURNTAPE_OUT_OF_ORDER: {
    ...diverged,
    kind: 'reordered',
    expected: { number: 1, turn: 1 },
    nearest: { number: 3, turn: 2, hash: diverged.requestHash, state: 'later' },
    ...noChanges,
    hints: [{ kind: 'skips', turn: 2, skipped: [1] }],
    remedies: [{ why: 'If two independent callers made them, name each', command: "tape.lane('name', () => …)" }],
  },
  TURNTAPE_WRONG_KIND: {
    ...diverged,
    kind: 'wrong kind',
    expected: { number: 3, turn: 2 },
    steps: { made: { kind: 'turn' }, recorded: { kind: 'fold', request } },
    remedies: [{ why: 'If this call compacts the conversation too, mark it', command: 'tape.fold(() => …)' }],
  },
  TURNTAPE_EXHAUSTED: {
    ...diverged,
    kind: 'exhausted',
    turn: 3,
    nearest: undefined,
    ...noChanges,
    remedies: [{ why: 'If the call is intended, record this test again', command: recordCommand }],
  },
  TURNTAPE_UNUSED: {
    test,
    cassette,
    mode: 'auto',
    unused: [{ number: 3, turn: 2, request }],
    total: 1,
    ci: false,
    recordCommand,
  },
  TURNTAPE_MISSING_CASSETTE: { test, cassette, mode: 'replay', ci: true, request, recordCommand },
  TURNTAPE_READ_PAST_RECORDING: { test, cassette, interaction: 2, chunks: 14, end: 'aborted', recordCommand },
  TURNTAPE_NOT_ABORTED: {
    test,
    cassette,
    interaction: 2,
    request,
    reason: 'AbortError: This operation was aborted',
    recordCommand,
  },
  TURNTAPE_STEP_UNMET: { test, part: 'text', wanted: 3, count: 1, streams: 1, open: 1 },
  TURNTAPE_UNVERIFIABLE: {
    test,
    cassette,
    calls: [{ number: 3, turn: 2, request, reason: 'the log leaves out the images of the request' }],
    count: 1,
    total: 5,
    recordCommand,
  },
  TURNTAPE_SUBSTITUTED: {
    test,
    cassette,
    calls: [{ number: 4, turn: 3, request, reason: 'the container was made anew from the same image' }],
    count: 1,
    recordCommand,
  },
  TURNTAPE_INCOMPLETE: {
    test,
    cassette,
    calls: [{ number: 5, turn: 4, request, reason: 'the log ends in the middle of the answer' }],
    count: 1,
    recordCommand,
  },
  TURNTAPE_CALL_ID_REPEATED: {
    test,
    cassette,
    tool: 'searchFlights',
    callId: 'call_0',
    lane: undefined,
    first: 2,
    second: 3,
    when: 'loading',
    recordCommand,
  },
  TURNTAPE_UNKNOWN_POINT: { test, cassette, option: 'from', turn: 7, turns: 4 },
  TURNTAPE_LIVE_IN_REPLAY: { test, tool: 'searchFlights', request: 'GET https://flights.example.com/search' },
  TURNTAPE_UNATTRIBUTED: { request, running: [test, 'cancels a flight'] },
  TURNTAPE_LATE_CALL: { request, test, mode: 'replay', refused: true },
  TURNTAPE_OUTSIDE_TEST: { request, file: 'test/flights.test.ts' },
  TURNTAPE_UNCAPTURED_CONNECTION: { test, host: 'api.example.com', port: 443, mode: 'replay' },
  TURNTAPE_MISSING_KEY: { variable: 'OPENAI_API_KEY', request, test, cassette },
  TURNTAPE_PLACEHOLDER_LIVE: { test, request, placeholder: '<redacted:api-key-1>', recordCommand },
  TURNTAPE_FAKE_TIMERS: { test, request, realTimers: vitestRealTimers },
  TURNTAPE_VALUE_NOT_JSON: {
    test,
    name: 'searchFlights',
    what: 'value',
    pointer: '/flights/0/price',
    found: 'a BigInt',
  },
  TURNTAPE_SECRET_FOUND: {
    test,
    cassette,
    pendingPath,
    findings: [
      {
        place: 'interaction 3, response body, event 12 /choices/0/delta/content',
        rule: 'the value of BOOKING_TOKEN',
        remedy: "redact: { keys: ['token'] }",
      },
    ],
  },
  TURNTAPE_CAP_EXCEEDED: {
    cassette,
    cap: 'maxBodyBytes',
    limit: 16_777_216,
    found: 16_777_217,
    atLeast: false,
    when: 'recording',
  },
  TURNTAPE_STORE_CONFLICT: { cassette, pendingPath },
  TURNTAPE_STORE_FAILED: { cassette, pendingPath, reason: 'EROFS: read-only file system' },
  TURNTAPE_CASSETTE_INVALID: { cassette, line: 12, column: 1, reason: 'a git conflict marker' },
  TURNTAPE_CASSETTE_TOO_NEW: { cassette, found: 'turntape/7', supported: 'turntape/1' },
  TURNTAPE_CASSETTE_EDITED: { cassette, interaction: 2, expected: 'a1b2c3d4', found: '9f8e7d6c' },
  TURNTAPE_INVALID_MODE: {
    given: 'recrod',
    source: 'TURNTAPE_MODE',
    valid: ['auto', 'replay', 'update', 'record', 'rebase', 'live'],
  },
  TURNTAPE_INVALID_OPTION: { option: 'caps.maxBodyBytes', given: '"16 MiB"', expected: 'a positive integer' },
  TURNTAPE_NOT_IN_TEST: {
    call: 'useReplay()',
    reason: 'a concurrent test cannot be told from its neighbours',
    instead: 'useReplay(context)',
  },
  TURNTAPE_RESET_WHILE_RECORDING: { mode: 'record' },
  TURNTAPE_NOTHING_RECORDED: { covered: false, tests: [test], runner: 'vitest' },
  TURNTAPE_USAGE: { problem: 'no test was named', remedy: recordCommand },
}
