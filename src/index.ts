/** The entry `turntape`: what needs no runner. */

export type { Cadence, CadenceBounds } from './core/cadence/cadence.ts'
export type { CaptureRules, IgnorableRequest, UrlMatcher } from './core/capture/capture-rules.ts'
export { type Caps, type CapUsage, defaultCaps } from './core/cassette/caps.ts'
export { cassettePath } from './core/cassette/cassette-path.ts'
export type {
  Cassette,
  Failure,
  HttpInteraction,
  HttpRequest,
  HttpResponse,
  Interaction,
  Json,
  ValueInteraction,
} from './core/cassette/document.ts'
export { dates } from './core/matching/dates.ts'
export { ignoreMembers } from './core/matching/ignore-members.ts'
export type { NormalisedRequest, Normaliser } from './core/matching/normaliser.ts'
export { paths } from './core/matching/paths.ts'
export { replaceText } from './core/matching/replace-text.ts'
export { uuids } from './core/matching/uuids.ts'
export { type RecordMode, recordModes } from './core/modes/record-mode.ts'
export type { ErrorCode, ErrorDetails } from './errors/codes.ts'
export { isReplayError, ReplayError } from './errors/replay-error.ts'
export type { RedactOptions } from './redaction/redact-options.ts'
export type { Served } from './session/calls/served-calls.ts'
export {
  type CassetteProblem,
  type CheckedCassette,
  type CheckOptions,
  checkCassette,
} from './session/check-cassette.ts'
export { type ComparableRun, compareCassettes } from './session/compare-cassettes.ts'
export { type OpenedCassette, type OpenOptions, openCassette } from './session/open-cassette.ts'
export type { Step, Stepper } from './session/stepping/lane-stepper.ts'
export type { Tape } from './session/tape.ts'
export type { Allowances, TapeOptions } from './session/tape-options.ts'
export type { CompareOptions } from './trajectory/compare-runs.ts'
export {
  type ComparedChange,
  type ComparedRun,
  type Comparison,
  type Coordinates,
  type Difference,
  printComparison,
} from './trajectory/comparison.ts'
export type { TokenCounts } from './trajectory/sum-usages.ts'
export type { TokenUsage } from './trajectory/token-usage.ts'
export type { ToolCall, ToolCallResult } from './trajectory/tool-calls.ts'
export type { ExpectedCall, TokenBudget, TrajectoryMode } from './trajectory/trajectory-matchers.ts'
export type { Turn, TurnError } from './trajectory/turn.ts'
export type { Block, Usage, Wire } from './wire/block.ts'
export type { OfferedTool, Settings } from './wire/request-reader.ts'
export type { PartKind, StreamPart } from './wire/stream-parts.ts'
