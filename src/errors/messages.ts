/**
 * The message of every code: a pure function of its details, in plain text without colours. The first line is short
 * and stable; then facts; then what to do, each a command for any shell or a line of code.
 * Knows no files, modes or runners beyond what the details say; secrets are gone before details are made.
 */
import type { ErrorCode, ErrorDetails } from './codes.ts'
import { capExceededMessage } from './messages/cap-exceeded.ts'
import {
  cassetteEditedMessage,
  cassetteInvalidMessage,
  cassetteTooNewMessage,
  storeConflictMessage,
  storeFailedMessage,
} from './messages/cassette-file.ts'
import { divergedMessage } from './messages/diverged.ts'
import { missingCassetteMessage } from './messages/missing-cassette.ts'
import { notAbortedMessage } from './messages/not-aborted.ts'
import { nothingRecordedMessage } from './messages/nothing-recorded.ts'
import { readPastRecordingMessage } from './messages/read-past-recording.ts'
import {
  fakeTimersMessage,
  missingKeyMessage,
  placeholderLiveMessage,
  secretFoundMessage,
  valueNotJsonMessage,
} from './messages/recording-stopped.ts'
import {
  callIdRepeatedMessage,
  incompleteMessage,
  substitutedMessage,
  unknownPointMessage,
  unverifiableMessage,
} from './messages/refused-cassette.ts'
import { stepUnmetMessage } from './messages/step-unmet.ts'
import {
  lateCallMessage,
  liveInReplayMessage,
  outsideTestMessage,
  unattributedMessage,
  uncapturedConnectionMessage,
} from './messages/unplaced-call.ts'
import { unusedMessage } from './messages/unused.ts'
import {
  invalidModeMessage,
  invalidOptionMessage,
  notInTestMessage,
  resetWhileRecordingMessage,
  usageMessage,
} from './messages/use.ts'

/** The message of one code. */
export function messageOf<C extends ErrorCode>(code: C, details: ErrorDetails[C]): string {
  return messages[code](details)
}

export const messages: { readonly [C in ErrorCode]: (details: ErrorDetails[C]) => string } = {
  TURNTAPE_DIVERGED: divergedMessage,
  TURNTAPE_OUT_OF_ORDER: divergedMessage,
  TURNTAPE_WRONG_KIND: divergedMessage,
  TURNTAPE_EXHAUSTED: divergedMessage,
  TURNTAPE_UNUSED: unusedMessage,
  TURNTAPE_MISSING_CASSETTE: missingCassetteMessage,
  TURNTAPE_READ_PAST_RECORDING: readPastRecordingMessage,
  TURNTAPE_STEP_UNMET: stepUnmetMessage,
  TURNTAPE_NOT_ABORTED: notAbortedMessage,

  TURNTAPE_UNVERIFIABLE: unverifiableMessage,
  TURNTAPE_SUBSTITUTED: substitutedMessage,
  TURNTAPE_INCOMPLETE: incompleteMessage,
  TURNTAPE_CALL_ID_REPEATED: callIdRepeatedMessage,
  TURNTAPE_UNKNOWN_POINT: unknownPointMessage,

  TURNTAPE_LIVE_IN_REPLAY: liveInReplayMessage,
  TURNTAPE_UNATTRIBUTED: unattributedMessage,
  TURNTAPE_LATE_CALL: lateCallMessage,
  TURNTAPE_OUTSIDE_TEST: outsideTestMessage,
  TURNTAPE_UNCAPTURED_CONNECTION: uncapturedConnectionMessage,

  TURNTAPE_MISSING_KEY: missingKeyMessage,
  TURNTAPE_PLACEHOLDER_LIVE: placeholderLiveMessage,
  TURNTAPE_FAKE_TIMERS: fakeTimersMessage,
  TURNTAPE_VALUE_NOT_JSON: valueNotJsonMessage,
  TURNTAPE_SECRET_FOUND: secretFoundMessage,
  TURNTAPE_CAP_EXCEEDED: capExceededMessage,
  TURNTAPE_STORE_CONFLICT: storeConflictMessage,
  TURNTAPE_STORE_FAILED: storeFailedMessage,

  TURNTAPE_CASSETTE_INVALID: cassetteInvalidMessage,
  TURNTAPE_CASSETTE_TOO_NEW: cassetteTooNewMessage,
  TURNTAPE_CASSETTE_EDITED: cassetteEditedMessage,

  TURNTAPE_INVALID_MODE: invalidModeMessage,
  TURNTAPE_INVALID_OPTION: invalidOptionMessage,
  TURNTAPE_NOT_IN_TEST: notInTestMessage,
  TURNTAPE_RESET_WHILE_RECORDING: resetWhileRecordingMessage,
  TURNTAPE_NOTHING_RECORDED: nothingRecordedMessage,
  TURNTAPE_USAGE: usageMessage,
}
