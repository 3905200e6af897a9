/** Details of every code in each of its states: `messages.test.ts` holds the text of each. */

import type { ErrorCode, ErrorDetails } from '../../src/errors/codes.ts'
import {
  jestRealTimers,
  moveCommand,
  recordCommand,
  vitestRealTimers,
  vitestUpdateCommand,
} from '../../src/errors/commands.ts'
import type { DivergenceDetails } from '../../src/errors/divergence-details.ts'

type Cases = { readonly [C in ErrorCode]: Readonly<Record<string, ErrorDetails[C]>> }

const reference = { file: 'test/book.test.ts', names: ['books a flight', 'picks the cheapest'] }
const test = 'books a flight > picks the cheapest'
const cassette = 'cassettes/test/book.test/books-a-flight__picks-the-cheapest.json'
const record = recordCommand(reference)
const update = vitestUpdateCommand(reference)
const request = 'POST https://api.openai.com/v1/chat/completions (gpt-5)'
const pendingPath = 'node_modules/.cache/turntape/cassettes/test/book.test/books-a-flight__picks-the-cheapest.json'

const diverged: DivergenceDetails = {
  kind: 'changed',
  test,
  cassette,
  mode: 'auto',
  turn: 2,
  recordedTurns: 3,
  lane: 'planner',
  request,
  requestHash: '9f8e7d6c'.repeat(8),
  nearest: { number: 3, turn: 2, hash: 'a1b2c3d4'.repeat(8), state: 'next' },
  changes: [
    { layer: 'settings', path: 'temperature', change: 'changed', recorded: '0.2', present: '0.7' },
    {
      layer: 'messages',
      path: 'messages[2].content',
      change: 'changed',
      about: 'user message',
      recorded: '"…the weather in Paris tomorrow"',
      present: '"…the weather in Oslo tomorrow"',
    },
    {
      layer: 'messages',
      path: 'messages[4]',
      change: 'removed',
      about: 'user message',
      recorded: '{"role":"user"}',
      present: undefined,
    },
    {
      layer: 'messages',
      path: 'messages[5]',
      change: 'added',
      about: 'user message',
      recorded: undefined,
      present: '{"role":"user"}',
    },
  ],
  changesTotal: 12,
  hints: [],
  remedies: [
    { why: 'If the change is intended, record from here on (what matched costs nothing)', command: update },
    { why: 'Or the whole test', command: record },
  ],
}

const wrongKind: DivergenceDetails = {
  ...diverged,
  kind: 'wrong kind',
  expected: { number: 3, turn: 2 },
  changes: [],
  changesTotal: 0,
  nearest: undefined,
}

const refused = { test, cassette, recordCommand: record }
const reason = 'the log leaves out the images of the request'

const unused = {
  test,
  cassette,
  mode: 'auto',
  total: 2,
  unused: [
    { number: 4, turn: 3, request },
    { number: 5, lane: 'planner', request: 'tool get_weather' },
  ],
  recordCommand: record,
}

export const messageCases: Cases = {
  TURNTAPE_DIVERGED: {
    'several changes, not all shown': diverged,
    'a text of several lines': {
      ...diverged,
      changesTotal: 1,
      changes: [
        {
          layer: 'system',
          path: 'messages[0].content',
          change: 'changed',
          about: 'system message',
          line: 12,
          recorded: '"You answer in French."\n"You never guess."',
          present: '"You answer in German."',
        },
      ],
    },
    'only volatile values': {
      ...diverged,
      changesTotal: 1,
      changes: diverged.changes.slice(1, 2),
      hints: [
        { kind: 'volatile', what: 'dates', line: 'normalise: [dates(), uuids()]' },
        { kind: 'volatile', what: 'uuids', line: 'normalise: [dates(), uuids()]' },
      ],
      remedies: [{ why: 'Let them count as equal', command: 'normalise: [dates(), uuids()]' }, ...diverged.remedies],
    },
    'recorded under another SDK version': {
      ...diverged,
      changesTotal: 1,
      changes: diverged.changes.slice(0, 1),
      hints: [{ kind: 'versions', name: 'openai', recorded: '6.49.0', present: '7.59.0' }],
    },
    'only the output limit': {
      ...diverged,
      changesTotal: 1,
      changes: [{ layer: 'settings', path: 'max_tokens', change: 'changed', recorded: '1024', present: '2048' }],
      hints: [{ kind: 'output limit', line: "normalise: [ignoreMembers('max_tokens')]" }],
      remedies: [{ why: 'If the limit does not matter', command: "normalise: [ignoreMembers('max_tokens')]" }],
    },
    'an empty cassette': { ...diverged, nearest: undefined, changes: [], changesTotal: 0, recordedTurns: 0, turn: 1 },
    'a repeated turn': {
      ...diverged,
      requestHash: 'a1b2c3d4'.repeat(8),
      nearest: { number: 1, turn: 1, hash: 'a1b2c3d4'.repeat(8), state: 'played' },
      changes: [],
      changesTotal: 0,
      hints: [{ kind: 'repeats', turn: 1 }],
    },
    'a tool call': {
      ...diverged,
      turn: undefined,
      request: 'tool get_weather',
      nearest: { number: 3, turn: undefined, hash: 'a1b2c3d4'.repeat(8), state: 'next' },
      changesTotal: 1,
      changes: [{ layer: 'tool input', path: 'city', change: 'changed', recorded: '"Paris"', present: '"Oslo"' }],
    },
  },
  TURNTAPE_OUT_OF_ORDER: {
    'a later turn': {
      ...diverged,
      kind: 'reordered',
      requestHash: 'a1b2c3d4'.repeat(8),
      nearest: { number: 5, turn: 3, hash: 'a1b2c3d4'.repeat(8), state: 'later' },
      expected: { number: 3, turn: 2 },
      changes: [],
      changesTotal: 0,
      hints: [{ kind: 'skips', turn: 3, skipped: [2] }],
      remedies: [
        { why: 'If two independent callers made them, name each', command: "tape.lane('name', () => …)" },
        { why: 'Or let the calls of this test come in any order', command: "order: 'any'" },
      ],
    },
    'a fold was skipped': {
      ...diverged,
      kind: 'reordered',
      requestHash: 'a1b2c3d4'.repeat(8),
      nearest: { number: 5, turn: 3, hash: 'a1b2c3d4'.repeat(8), state: 'later' },
      expected: { number: 3, turn: 2 },
      changes: [],
      changesTotal: 0,
      hints: [{ kind: 'skips', turn: 3, skipped: [1, 2], folds: [2] }],
    },
  },
  TURNTAPE_WRONG_KIND: {
    'a turn where the recording folded': {
      ...wrongKind,
      remedies: [{ why: 'If this call compacts the conversation too, mark it', command: 'tape.fold(() => …)' }],
      steps: { made: { kind: 'turn' }, recorded: { kind: 'fold', request } },
    },
    'a fold where it has a turn': {
      ...wrongKind,
      steps: { made: { kind: 'fold' }, recorded: { kind: 'turn', request } },
    },
    'a fold where it failed a call': {
      ...wrongKind,
      steps: { made: { kind: 'fold' }, recorded: { kind: 'failed call', request } },
    },
    'a fold where it ran a tool': {
      ...wrongKind,
      steps: { made: { kind: 'fold' }, recorded: { kind: 'tool', request: 'tool get_weather' } },
    },
    'a turn where it ran a tool': {
      ...wrongKind,
      steps: { made: { kind: 'turn' }, recorded: { kind: 'tool', request: 'tool get_weather' } },
    },
    'a tool where it has a call': {
      ...wrongKind,
      turn: undefined,
      request: 'tool get_weather',
      steps: { made: { kind: 'tool' }, recorded: { kind: 'call', request: 'call get_weather' } },
    },
    'an HTTP call where it has a turn': {
      ...wrongKind,
      turn: undefined,
      request: 'GET https://api.example.com/prices',
      steps: { made: { kind: 'http' }, recorded: { kind: 'turn', request } },
    },
  },
  TURNTAPE_EXHAUSTED: {
    'another lane': {
      ...diverged,
      kind: 'exhausted',
      requestHash: 'a1b2c3d4'.repeat(8),
      nearest: { number: 1, turn: 1, hash: 'a1b2c3d4'.repeat(8), state: 'other lane', lane: 'writer' },
      changes: [],
      changesTotal: 0,
      hints: [{ kind: 'lanes', present: 'planner', recorded: ['writer', 'critic'] }],
    },
    'no model call': {
      ...diverged,
      kind: 'exhausted',
      turn: undefined,
      lane: undefined,
      request: 'tool get_weather',
      nearest: undefined,
      changes: [],
      changesTotal: 0,
    },
    'after the point': {
      ...diverged,
      kind: 'exhausted',
      turn: 3,
      nearest: undefined,
      changes: [],
      changesTotal: 0,
      upTo: 2,
    },
    'a fold sent again': {
      ...diverged,
      kind: 'exhausted',
      requestHash: 'a1b2c3d4'.repeat(8),
      nearest: { number: 1, turn: 1, hash: 'a1b2c3d4'.repeat(8), state: 'played' },
      changes: [],
      changesTotal: 0,
      hints: [
        { kind: 'repeats', turn: 1 },
        { kind: 'fold again', turn: 1 },
      ],
    },
  },
  TURNTAPE_UNUSED: {
    locally: { ...unused, updateCommand: update },
    'in CI': { ...unused, mode: 'replay', ci: true, updateCommand: update },
    many: {
      ...unused,
      total: 40,
      unused: Array.from({ length: 40 }, (_, index) => ({ number: index + 1, turn: index + 1, request })),
    },
  },
  TURNTAPE_MISSING_CASSETTE: {
    'in CI': { test, cassette, mode: 'replay', ci: true, request, recordCommand: record },
    'in mode replay': { test, cassette, mode: 'replay', ci: false, request, recordCommand: record },
    'in mode rebase': { test, cassette, mode: 'rebase', ci: false, recordCommand: record },
    'a renamed test': {
      test,
      cassette,
      mode: 'auto',
      ci: false,
      request,
      recordCommand: record,
      move: {
        from: 'cassettes/test/book.test/picks-the-best.json',
        command: moveCommand('cassettes/test/book.test/picks-the-best.json', reference),
        candidates: 3,
      },
    },
    'a moved file, in CI': {
      test,
      cassette,
      mode: 'replay',
      ci: true,
      request,
      recordCommand: record,
      move: {
        from: 'cassettes/test/old.test/books-a-flight__picks-the-cheapest.json',
        command: moveCommand('cassettes/test/old.test', 'cassettes/test/book.test'),
        moves: 12,
      },
    },
  },
  TURNTAPE_READ_PAST_RECORDING: {
    aborted: { test, cassette, interaction: 2, chunks: 1, end: 'aborted', recordCommand: record },
    'read in part': { test, cassette, interaction: 2, chunks: 14, end: 'partial', recordCommand: record },
    'an iterable': { test, cassette, interaction: 2, elements: 2, end: 'partial', recordCommand: record },
  },
  TURNTAPE_NOT_ABORTED: {
    always: {
      test,
      cassette,
      interaction: 2,
      request,
      reason: 'TimeoutError: The operation was aborted due to timeout',
      recordCommand: record,
    },
  },
  TURNTAPE_STEP_UNMET: {
    'no stream': { test, part: 'text', wanted: 3, count: 0, streams: 0, open: 0 },
    'no stream of the lane': { test, lane: 'planner', wanted: 1, count: 0, streams: 0, open: 0 },
    'a stream that nobody reads on': { test, part: 'tool-args', wanted: 3, count: 2, streams: 2, open: 1 },
    'all have ended': { test, wanted: 1, count: 0, streams: 1, open: 0 },
  },
  TURNTAPE_UNVERIFIABLE: {
    one: { ...refused, calls: [{ number: 3, turn: 2, request, reason }], count: 1, total: 5 },
    many: {
      ...refused,
      calls: Array.from({ length: 10 }, (_, index) => ({ number: index + 1, lane: 'planner', request, reason })),
      count: 40,
      total: 41,
    },
  },
  TURNTAPE_SUBSTITUTED: {
    always: {
      ...refused,
      calls: [{ number: 4, turn: 3, request, reason: 'the container was made anew from the same image' }],
      count: 1,
    },
  },
  TURNTAPE_INCOMPLETE: {
    one: {
      ...refused,
      calls: [{ number: 5, turn: 4, request, reason: 'the log ends in the middle of the answer' }],
      count: 1,
    },
    two: {
      ...refused,
      calls: [4, 5].map((number) => ({ number, request: 'tool get_weather', reason: 'the log ends in it' })),
      count: 2,
    },
  },
  TURNTAPE_CALL_ID_REPEATED: {
    'when opened': {
      ...{ ...refused, tool: 'get_weather', callId: 'call_0', lane: undefined, first: 2, second: 3 },
      when: 'loading',
    },
    'when recorded': {
      ...{ ...refused, tool: 'get_weather', callId: 'call_0', lane: 'planner', first: 2, second: 3 },
      when: 'recording',
    },
  },
  TURNTAPE_UNKNOWN_POINT: {
    'past the end': { test, cassette, option: 'from', turn: 7, turns: 4 },
    'no cassette': { test, cassette, option: 'upTo', turn: 2, turns: undefined },
  },
  TURNTAPE_LIVE_IN_REPLAY: {
    'an HTTP call': { test, tool: 'get_weather', request: 'GET https://weather.example.com/oslo' },
    'no URL': { test, tool: 'get_weather', request: 'a connection' },
  },
  TURNTAPE_UNATTRIBUTED: {
    'several tests': { request, running: Array.from({ length: 8 }, (_, index) => `answers question ${index + 1}`) },
    'no test': { request, running: [] },
  },
  TURNTAPE_LATE_CALL: {
    replaying: { request, test, mode: 'auto' },
    recording: { request, test, mode: 'auto', refused: false },
  },
  TURNTAPE_OUTSIDE_TEST: { 'in beforeAll': { request, file: 'test/book.test.ts' } },
  TURNTAPE_UNCAPTURED_CONNECTION: {
    'with a port': { test, host: 'api.example.com', port: 443, mode: 'replay' },
    'without a port': { test, host: 'api.example.com', port: undefined, mode: 'auto' },
    'by undici': { test, host: 'api.example.com', port: 443, mode: 'replay', client: 'undici' },
  },
  TURNTAPE_MISSING_KEY: {
    'in a covered test': { variable: 'OPENAI_API_KEY', request, test, cassette },
    elsewhere: { variable: 'OPENAI_API_KEY', request },
  },
  TURNTAPE_PLACEHOLDER_LIVE: {
    always: { test, request, placeholder: '<redacted:openai-key:1>', recordCommand: record },
  },
  TURNTAPE_FAKE_TIMERS: {
    'in Vitest': { test, request, realTimers: vitestRealTimers },
    'in Jest': { test, request, realTimers: jestRealTimers },
  },
  TURNTAPE_VALUE_NOT_JSON: {
    input: { test, name: 'get_weather', what: 'input', pointer: '/when', found: 'a Date' },
    result: { test, name: 'get_weather', what: 'value', pointer: '', found: 'a Map' },
    element: { test, name: 'search', what: 'element', pointer: '/3/score', found: 'NaN' },
  },
  TURNTAPE_SECRET_FOUND: {
    'kept as pending': {
      test,
      cassette,
      pendingPath,
      findings: [
        {
          place: 'interaction 3, response body, event 12 /choices/0/delta/content',
          rule: 'the value of OPENAI_API_KEY',
          remedy: 'redact: { patterns: [/sk-[a-z]+/g] }',
        },
        {
          place: 'interaction 4, request body /messages/2/content',
          rule: 'the host name',
          remedy: 'redact: { keys: ["host"] }',
        },
      ],
    },
    'kept nowhere': {
      test,
      cassette,
      pendingPath: undefined,
      findings: Array.from({ length: 9 }, (_, index) => ({
        place: `interaction ${index + 1}, request body /messages/0/content`,
        rule: 'the user name',
        remedy: 'redact: { patterns: [/…/] }',
      })),
    },
  },
  TURNTAPE_CAP_EXCEEDED: {
    'a body while recording': {
      cassette,
      cap: 'maxBodyBytes',
      limit: 16777216,
      found: 16777217,
      atLeast: true,
      when: 'recording',
    },
    'a file while loading': {
      cassette,
      cap: 'maxCassetteBytes',
      limit: 8388608,
      found: 73400320,
      atLeast: false,
      when: 'loading',
    },
    interactions: { cassette, cap: 'maxInteractions', limit: 2000, found: 2001, atLeast: true, when: 'recording' },
    chunks: { cassette, cap: 'maxChunks', limit: 65536, found: 65537, atLeast: false, when: 'loading' },
    blocks: { cassette, cap: 'maxBlocks', limit: 1, found: 2, atLeast: false, when: 'recording' },
  },
  TURNTAPE_STORE_CONFLICT: { always: { cassette, pendingPath } },
  TURNTAPE_STORE_FAILED: {
    'kept as pending': { cassette, pendingPath, reason: 'EACCES: permission denied' },
    'kept nowhere': { cassette, pendingPath: undefined, reason: 'ENOSPC: no space left on device' },
  },
  TURNTAPE_CASSETTE_INVALID: {
    'at a line': {
      cassette,
      line: 12,
      column: 3,
      reason: 'a git conflict marker',
      remedies: [{ why: 'Take your own side', command: `git checkout --ours -- "${cassette}"` }],
    },
    'at a pointer': {
      cassette,
      pointer: '/interactions/3/response/status',
      reason: 'expected an integer, found a string',
    },
    'as a whole': { cassette, pointer: '', reason: 'the file is empty' },
  },
  TURNTAPE_CASSETTE_TOO_NEW: {
    always: { cassette, found: 'turntape/3', supported: 'turntape/1' },
    'a required feature': { cassette, found: 'turntape/1', supported: 'turntape/1', requires: ['shared-values'] },
  },
  TURNTAPE_CASSETTE_EDITED: {
    always: { cassette, interaction: 3, expected: 'a1b2c3d4'.repeat(8), found: '9f8e7d6c'.repeat(8) },
  },
  TURNTAPE_INVALID_MODE: {
    'a slip': {
      given: 'recrod',
      source: 'TURNTAPE_MODE',
      valid: ['auto', 'replay', 'update', 'record', 'rebase', 'live'],
    },
    'something else': {
      given: 'once',
      source: 'option',
      valid: ['auto', 'replay', 'update', 'record', 'rebase', 'live'],
    },
  },
  TURNTAPE_INVALID_OPTION: {
    'a wrong value': { option: 'caps.maxBodyBytes', given: '-1', expected: 'a positive integer' },
    'an unknown name': {
      option: 'normalize',
      given: 'an unknown name',
      expected:
        'one of mode, strict, order, caps, normalise, redact, capture, passthrough, ignore, models, beforeRecord, allow, realRetryAfter, path',
    },
  },
  TURNTAPE_NOT_IN_TEST: {
    always: {
      call: 'useReplay()',
      reason: 'It was called in a concurrent test, where it cannot tell which test that is.',
      instead: 'useReplay(context)',
    },
  },
  TURNTAPE_RESET_WHILE_RECORDING: { always: { mode: 'record' } },
  TURNTAPE_NOTHING_RECORDED: {
    'not covered': { covered: false, tests: [test], runner: 'vitest' },
    'several, in Jest': { covered: false, tests: [test, 'another'], runner: 'jest' },
    'no call': { covered: true, tests: [test], runner: 'vitest' },
  },
  TURNTAPE_USAGE: {
    always: {
      problem: 'turntape record needs a test',
      remedy: 'Give it as "<file> > <name>", or all tests of a file as "<file>".',
    },
  },
}
