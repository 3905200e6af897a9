// @ts-check
/**
 * Which modules of the package are late: read when something of them is first called (docs/decisions/0015-late-files.md).
 * Files and folders of `src`; a file stands in the first group that has it. Constants of theirs are not for modules that are early.
 * @type {Readonly<Record<string, readonly string[]>>}
 */
const listed = {
  // What a model call said: at the end of a test that made one, and for `tape.turns`.
  turns: ['wire/', 'trajectory/'],
  // What a red test says.
  refusals: [
    ...['errors/messages.ts', 'errors/messages/', 'divergence/'],
    ...['session/calls/diverge.ts', 'session/calls/conceal-error.ts', 'session/calls/still-waiting.ts'],
    ...['session/source/missing-cassette.ts', 'session/source/moved-cassette.ts', 'session/ending/presentable.ts'],
  ],
  // What goes live, and what is written of it.
  recording: [
    ...['recording/', 'interception/fetch/tap-response.ts', 'interception/dispatcher/observed-handler.ts'],
    ...['interception/node-http/observe-message.ts', 'interception/node-http/observe-request.ts'],
    ...['session/calls/live-exchange.ts', 'session/calls/live-checks.ts', 'session/ending/before-record.ts'],
    ...['session/ending/keep-committed.ts', 'session/ending/compose-cassette.ts'],
    ...[
      'session/source/around-part.ts',
      'store/commit-cassette.ts',
      'store/remove-cassette.ts',
      'store/side-folder.ts',
    ],
    ...['store/atomic-file.ts', 'core/cassette/write-cassette.ts', 'core/cassette/pack-cassette.ts'],
    ...['core/cassette/pack-request.ts', 'core/cassette/encode-body.ts', 'core/cassette/write-body.ts'],
    ...['redaction/scan.ts', 'redaction/scan-facts.ts', 'redaction/scan-joins.ts', 'redaction/scan-names.ts'],
    ...['redaction/scan-place.ts', 'redaction/scan-rule.ts', 'redaction/scan-texts.ts', 'redaction/concealer.ts'],
    ...['redaction/decoded-forms.ts', 'redaction/decompress.ts', 'redaction/unpack.ts', 'redaction/zip-contents.ts'],
    ...['redaction/pdf-contents.ts', 'redaction/joined-channels.ts', 'redaction/split-over-pieces.ts'],
    ...['redaction/stream-documents.ts', 'redaction/separate-values.ts', 'redaction/undo-content-encoding.ts'],
    ...['redaction/recut-chunks.ts', 'redaction/redact-frames.ts', 'redaction/redact-multipart.ts'],
  ],
  // Tools and `tape.call`.
  values: [
    ...['session/calls/value-calls.ts', 'session/calls/serve-value.ts', 'session/calls/value-elements.ts'],
    ...['session/calls/record-value.ts', 'session/calls/pushed-elements.ts', 'session/calls/stored-value.ts'],
    'session/tools/',
  ],
  // What few tests run: other roads than `fetch`, holds, recorded failures and cadences; and what is asked outside of tests.
  seldom: [
    ...['interception/in-memory-duplex.ts', 'interception/dispatcher/serve-dispatch.ts'],
    ...['interception/http2/front-session.ts', 'interception/http2/live-session.ts'],
    ...['interception/http2/answer-stream.ts', 'interception/http2/end-stream.ts', 'interception/http2/write-piece.ts'],
    ...['interception/http2/relay-live.ts', 'interception/http2/serve-stream.ts'],
    ...['interception/node-http/decide-request.ts', 'interception/node-http/serve-request.ts'],
    ...['interception/node-http/held-request.ts', 'interception/node-http/holding-agent.ts'],
    ...['session/stepping/lane-stepper.ts', 'replaying/build-failure.ts', 'replaying/failure-on-road.ts'],
    ...['replaying/pace.ts', 'session/ending/measure-caps.ts'],
    ...['core/matching/normalise-request.ts', 'core/matching/client-ids.ts'],
    ...['store/cassette-head.ts', 'store/pending-folder.ts'],
    ...['session/check-cassette.ts', 'session/open-cassette.ts', 'session/compare-cassettes.ts'],
  ],
  // What a covered test runs at its first call, with all that this imports and nothing early does. The other groups are given it.
  session: [
    ...['session/tape-session.ts', 'session/tape.ts', 'store/cassette-store.ts'],
    // Watches a live call of any road.
    'interception/exchange-watch.ts',
    // With Node’s own streams of the web, which take a while to load.
    'interception/fetch/served-response.ts',
  ],
}

/** The group that every other one is given. */
export const baseGroup = 'session'

export const groups = Object.keys(listed)

/** Stay where they are, though their folder is in a group. @type {readonly string[]} */
const early = [
  'trajectory/expect-matchers.ts',
  // What most answers without streaming took in tokens, which the end of every test asks.
  ...['trajectory/whole-usages.ts', 'trajectory/sum-usages.ts', 'wire/whole-usage.ts', 'wire/choose-wire.ts'],
  ...['wire/read-json.ts', 'wire/wire-error.ts', 'wire/openai-chat/chat-usage.ts'],
  ...['wire/anthropic-messages/messages-usage.ts', 'wire/openai-responses/responses-usage.ts'],
]

/**
 * With all that they import, what the one chunk holds: what a set-up file has done before the first covered test makes a call,
 * what takes something of the process while no test can have replaced it, and the little that two entries share beside that, which
 * would be a further file.
 */
export const chunkRoots = [
  ...['session/attempt.ts', 'session/open-file.ts', 'session/machine-host.ts', 'session/project-settings.ts'],
  ...['session/session-of-slot.ts', 'session/calls/session-of-call.ts', 'session/run/report-options.ts'],
  ...[
    'trajectory/expect-matchers.ts',
    'core/matching/ignore-members.ts',
    'core/matching/replace-text.ts',
    'core/matching/escape-pattern.ts',
  ],
  ...[
    'core/cassette/document.ts',
    'core/cassette/cassette-path.ts',
    'core/cassette/native-response.ts',
    'store/real-now.ts',
    'errors/commands.ts',
  ],
  ...['runners/jest/run-folder.ts', 'runners/jest/jest-version.ts'],
]

/** The group a file is listed in. @param {string} name below `src` */
export function listedGroupOf(name) {
  if (early.includes(name)) return undefined
  return groups.find((group) =>
    listed[group]?.some((one) => name === one || (one.endsWith('/') && name.startsWith(one))),
  )
}
