/**
 * The cassette document, resolved: the plain data of one test's interactions, every body in its stored form, every value whole.
 * This is what everybody reads. On disk the same content is packed (columns, deltas, recurring values): `packed-document.ts`
 * says how, and only `writeCassette` and `parseCassette` know. Nothing here reads a clock, a file or an environment.
 * Every clause cited (F1 to F21) is one of the format's numbered clauses, see `docs/cassette-format.md`.
 */

/** Any JSON value. */
export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json }

/** The format that is written (F18). */
export const CASSETTE_FORMAT = 'turntape/1'

/** One cassette, F1 and F3. Key order here is the order on disk. */
export interface Cassette {
  readonly format: string
  /** Full name of the test, `describe > test`. Advisory: the path is the identity. */
  readonly test: string
  readonly provenance: Provenance
  /**
   * ISO 8601 in UTC, whole milliseconds: when the oldest of it was recorded. A run that replays part of a recording and
   * records the rest keeps its date, to which tests set their clocks.
   */
  readonly recordedAt: string
  /** Versions of what was seen while recording: `turntape`, `node`, the runner, each SDK named by its user-agent. */
  readonly recordedWith: Readonly<Record<string, string>>
  readonly interactions: readonly Interaction[]
}

export type Provenance =
  | { readonly kind: 'live' }
  | { readonly kind: 'imported'; readonly from: string }
  | { readonly kind: 'derived'; readonly reason: string }

/** `model`: a model call over HTTP. `http`: any other HTTP call. `tool` and `call`: values, no HTTP. */
export type InteractionKind = 'model' | 'http' | 'tool' | 'call'

/** One recorded exchange, F4. A union by kind: HTTP ones carry an HTTP request, the others a value request. */
export type Interaction = HttpInteraction | ValueInteraction

/** True for a model call or any other HTTP call. */
export function isHttpInteraction(interaction: Interaction): interaction is HttpInteraction {
  return interaction.kind === 'model' || interaction.kind === 'http'
}

interface InteractionBase {
  /** 1-based, in the order the interactions started. */
  readonly number: number
  /** Absent: the unnamed lane. */
  readonly lane?: string
  /** Numbers of earlier interactions that had not ended when this one started. Absent: all had ended. */
  readonly overlaps?: readonly number[]
  /** True: a fire-and-forget call whose body nobody read. Not asking for it again is no `unused`. */
  readonly optional?: true
  /** A sentence: why the stored request is not all that was sent, so that nothing can be compared with it. Its hash is that of what is stored. */
  readonly unverifiable?: string
  /** A sentence: how, before this interaction, the recording itself went on in another workspace. */
  readonly substituted?: string
  /** A sentence: why the recording stops inside this interaction. */
  readonly incomplete?: string
  /** SHA-256 (64 hex digits) of the canonical request as stored: after redaction, before normalisers (F13). */
  readonly hash: string
  readonly timing: Timing
}

export interface HttpInteraction extends InteractionBase {
  readonly kind: 'model' | 'http'
  /** True: a model call that compacts the conversation, made inside `tape.fold`. Not part of its identity. */
  readonly fold?: true
  readonly request: HttpRequest
  /** Exactly one of `response` and `failure` is present. */
  readonly response?: HttpResponse
  readonly failure?: Failure
}

export interface ValueInteraction extends InteractionBase {
  readonly kind: 'tool' | 'call'
  /** The id under which the model asked for this tool call, where the caller was told. No part of the hash. */
  readonly callId?: string
  readonly request: { readonly name: string; readonly input: Json }
  readonly result: ValueResult
}

/**
 * What a tool or `call` gave back: one value, nothing (`undefined`), an error, or the elements of an iterable (with an
 * error at the end, if it threw). `sync`: returned or thrown at once, not through a promise. `gapsMs`: the gap of each
 * element to the one before it (the first: to when the iterable was there), whole milliseconds. Absent: all zero.
 */
export type ValueResult =
  | { readonly value: Json; readonly sync?: true }
  | { readonly undefined: true; readonly sync?: true }
  | { readonly error: Failure; readonly sync?: true }
  | { readonly elements: readonly Json[]; readonly gapsMs?: readonly number[]; readonly error?: Failure }

/** Whole milliseconds. `startMs` counts from the start of the tape. */
export interface Timing {
  readonly startMs: number
  /** From the start to the response head, or to a promise's value or error; absent where there was none. */
  readonly headMs?: number
}

export interface HttpRequest {
  readonly method: string
  /** Absolute, redacted. Loopback hosts are written `localhost` without a port (promise 4). */
  readonly url: string
  /** The stored request headers, lower-case names, sorted. Only names that change meaning plus `content-type`. */
  readonly headers?: Readonly<Record<string, string>>
  /** Absent: no body. */
  readonly body?: RequestBody
}

/** F6. Request bytes need not come back; their canonical form must. */
export type RequestBody =
  | { readonly json: Json }
  | { readonly text: string }
  | { readonly lines: readonly string[] }
  | { readonly parts: readonly MultipartPart[] }
  | { readonly sha256: string; readonly bytes: number }

/** One part of a multipart request; `sha256` is the hash of its (redacted) content, kept instead of large or binary content. */
export interface MultipartPart {
  readonly name: string
  readonly filename?: string
  readonly type?: string
  readonly text?: string
  readonly sha256?: string
  readonly bytes?: number
}

export interface HttpResponse {
  readonly status: number
  readonly statusText?: string
  /** Final URL where it differs from the request's (a redirect was followed). */
  readonly url?: string
  readonly redirected?: true
  /** Allow-listed headers in the order received; a name may repeat (`set-cookie`). Never content-encoding or content-length. */
  readonly headers: readonly (readonly [name: string, value: string])[]
  /** Absent: the response had no body (204, 304, HEAD, or an empty one). */
  readonly body?: ResponseBody
}

/** How a body ended, F10. Absent on disk: `complete`. */
export type BodyEnd =
  | { readonly kind: 'complete' }
  /** The connection broke after the recorded chunks; the error as the client saw it. */
  | { readonly kind: 'failed'; readonly failure: Failure }
  /** The caller cancelled or aborted after the recorded chunks. */
  | { readonly kind: 'aborted' }
  /** The caller stopped reading (`chunks` recorded) and neither cancelled nor read on. */
  | { readonly kind: 'partial' }

/**
 * The stored body: what the bytes are, and where they were cut. F5, F8.
 * `cuts` and `gapsMs` describe chunks; absent `cuts` means one chunk, or one chunk an event for event bodies.
 */
export type ResponseBody = BodyContent & {
  readonly cuts?: Cuts
  /** Gap of each chunk to the one before it (the first: to the head), whole milliseconds. Absent: all zero. */
  readonly gapsMs?: readonly number[]
  readonly end?: BodyEnd
}

/** Event counts per chunk where every cut falls on an event border, else byte lengths per chunk. */
export type Cuts = { readonly events: readonly number[] } | { readonly bytes: readonly number[] }

export type BodyContent =
  | { readonly json: Json; readonly layout?: JsonLayout }
  | { readonly text: string }
  /** Text split after each line feed: joined with `\n` it is the text. */
  | { readonly lines: readonly string[] }
  | (EventFrame & { readonly layout?: JsonLayout; readonly events: readonly StreamEvent[] })
  | { readonly base64: string }
  /** A side file in `<cassette name>.files/`, named by its SHA-256. */
  | { readonly file: string; readonly sha256: string; readonly bytes: number }

/** How the events of a stream are told apart; absent members have the usual form. */
export interface EventFrame {
  /** `json-array`: the elements of one JSON array, streamed; its brackets and separators are part of the events' text. */
  readonly framing: 'sse' | 'ndjson' | 'json-array'
  /** Default: a line feed. */
  readonly lineEnd?: '\r\n' | '\r'
  /** After the colon of a field: default one blank. */
  readonly fieldBlank?: ''
  /** Default: `event`, `id`, then `data`. */
  readonly fieldOrder?: 'data first'
  /** `json-array`: what stands between two elements. */
  readonly between?: string
}

/** How a JSON value was written; absent members have the compact default. */
export interface JsonLayout {
  /** Spaces of indentation, or the indentation string. */
  readonly indent?: number | string
  /** After a comma on one line, default empty. */
  readonly comma?: string
  /** After a colon; default empty, one blank when indented. */
  readonly colon?: string
  /** Blanks before the last closing bracket: Anthropic hides the length of what it sends behind them. */
  readonly pad?: number
  /** `ascii`: everything beyond ASCII is written `\uXXXX`. */
  readonly escape?: 'ascii'
  /** Further characters that are written `\uXXXX`, in code order; `/` is written `\/`. */
  readonly escapeAlso?: string
  /** `upper`: escapes are written with capital hex digits. */
  readonly hex?: 'upper'
  /** Numbers that are not spelled as ECMAScript spells them, by JSON pointer: `{ "/temperature": "1.0" }`. */
  readonly numbers?: Readonly<Record<string, string>>
  /** White space after the value. */
  readonly tail?: string
}

/** One event of a stream. `raw` is verbatim text that no layout rebuilds, and may be anything (F9, F10). */
export type StreamEvent =
  /** `layout`: this event's own, in place of the body's. */
  | { readonly event?: string; readonly id?: string; readonly data: Json; readonly layout?: JsonLayout }
  | { readonly event?: string; readonly id?: string; readonly text: string }
  | { readonly raw: string }

/** A failure is structure, not text: F16. */
export interface Failure {
  readonly stage: 'connect' | 'request' | 'headers' | 'body' | 'value'
  readonly name: string
  readonly message: string
  readonly code?: string
  /** Own enumerable members that survive JSON, beside the above. */
  readonly details?: Readonly<Record<string, Json>>
  readonly cause?: Failure
}

/** A chunk as it arrived: its bytes and its gap to the one before, whole milliseconds. */
export interface Chunk {
  readonly bytes: Uint8Array
  readonly gapMs: number
}

/** A body in memory, complete: what `encodeBody` takes and `decodeBody` gives back. */
export interface RecordedBody {
  readonly chunks: readonly Chunk[]
  readonly end: BodyEnd
}

/** Side files of a cassette by file name (`<sha256>.<ext>`). */
export type SideFiles = ReadonlyMap<string, Uint8Array>
