/**
 * The cassette as it stands on disk (F9, F11): what repeats is said once. Only `packCassette` and `unpackCassette` know this
 * form; everybody else reads the resolved one of `document.ts`. No mark is ever put into a user's JSON: what is filled in,
 * and where, is told beside it by JSON pointer, so nothing that a user sends can be mistaken for it.
 */
import type {
  BodyContent,
  BodyEnd,
  Cassette,
  Cuts,
  HttpInteraction,
  HttpRequest,
  HttpResponse,
  Json,
  RequestBody,
  StreamEvent,
  ValueInteraction,
  ValueResult,
} from './document.ts'

/** Stands where a value is filled in; that a place is filled in is told by its pointer, not by this. */
export const hole = '…'

/** Events of one stream; a stream of more is stored as text. */
export const maxEvents = 262_144

export type PackedCassette = Omit<Cassette, 'interactions'> & { readonly interactions: readonly PackedInteraction[] }

export type PackedInteraction = PackedHttpInteraction | PackedValueInteraction

export type PackedHttpInteraction = Omit<HttpInteraction, 'request' | 'response'> & {
  readonly request: PackedRequest
  readonly response?: Omit<HttpResponse, 'body'> & { readonly body?: PackedBody }
}

export type PackedValueInteraction = Omit<ValueInteraction, 'request' | 'result'> & {
  readonly request: ValueInteraction['request'] & Filled
  readonly result:
    | Exclude<ValueResult, ElementsResult>
    | ({ readonly value: Json; readonly sync?: true } & Filled)
    | (Omit<ElementsResult, 'gapsMs'> & { readonly gapsMs?: NumberList })
}

type ElementsResult = Extract<ValueResult, { elements: unknown }>

/**
 * Large values that stand earlier in the file, by the pointer of the place they fill: `"/tools": "request 1 /tools"`.
 * See `value-place.ts` for the places.
 */
export interface Filled {
  readonly same?: Readonly<Record<string, string>>
}

export type PackedRequest = WholeRequest | LikeRequest

export type WholeRequest = Omit<HttpRequest, 'body'> & { readonly body?: RequestBody | PackedJson }

export type PackedJson = { readonly json: Json } & Filled

/** A request that says what it adds to or changes against an earlier one of the same cassette. */
export interface LikeRequest extends Filled, Partial<Pick<HttpRequest, 'method' | 'url' | 'headers'>> {
  /** The number of the earlier interaction. Without a `method`, its method, URL and headers are this one's as well. */
  readonly like: number
  /** Applied in order to its JSON body. Absent: the body is the same, in whatever form. */
  readonly edits?: readonly Edit[]
}

/**
 * One change; `at` is a JSON pointer into the body as it is when all edits before are done.
 * Arrays and strings: elements (UTF-16 units) are removed from `from` on, and others inserted there; `append`: at the end.
 * Members: `set` (a new one comes last) or `unset`.
 */
export type Edit =
  | { readonly at: string; readonly append: readonly Json[] | string }
  | { readonly at: string; readonly from: number; readonly remove?: number; readonly insert?: readonly Json[] | string }
  | { readonly at: string; readonly set: Json }
  | { readonly at: string; readonly unset: true }

type EventContent = Extract<BodyContent, { events: unknown }>

export type PackedBody = (
  | Exclude<BodyContent, EventContent>
  | (PackedJson & { readonly layout?: Extract<BodyContent, { json: unknown }>['layout'] })
  | (Omit<EventContent, 'events'> & { readonly events: readonly PackedEvent[] })
) & {
  readonly cuts?: PackedCuts
  readonly gapsMs?: NumberList
  readonly end?: BodyEnd
}

export type PackedCuts = Cuts | { readonly events: NumberList } | { readonly bytes: NumberList }

/** Whole numbers; `"0 x 12"` is twelve zeros. */
export type NumberList = readonly (number | string)[]

export type PackedEvent = SingleEvent | EventRun

export type SingleEvent = StreamEvent & Filled

/** Events of one shape: one of them as a pattern, and a column for each place that varies. */
export interface EventRun {
  /** How many events of this shape there are. */
  readonly run: number
  readonly event?: string
  readonly id?: string
  readonly data?: Json
  readonly text?: string
  readonly layout?: Extract<BodyContent, { json: unknown }>['layout']
  /** By JSON pointer into the pattern, where a hole stands, alone or inside a string: `"item_…"`. */
  readonly columns: Readonly<Record<string, Column>>
  /** Events of another form, without which it would be one run; of those in the same place, the ones named first come first. */
  readonly between?: readonly Between[]
}

/** After how many events of the run it stands; or, where other runs alternate with it, after how many each of theirs does. */
export type Between = SingleBetween | readonly [after: Column, run: EventRun]

export type SingleBetween = readonly [after: number, event: SingleEvent]

/** The values of one place, one an event. */
export type Column =
  | readonly Json[]
  /** A counter. */
  | { readonly from: number; readonly step: number }
  /** Each value as many times as the number beside it says. */
  | { readonly each: readonly Json[]; readonly times: readonly number[] }
  /** Texts of which each begins with the one before: what each adds. */
  | { readonly grows: readonly string[] }
  /** Numbers; one that ECMAScript spells otherwise as a string of its own spelling. */
  | { readonly numbers: readonly (number | string)[] }
