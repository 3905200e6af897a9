/** What a divergence knows: plain data, already redacted and elided. The message is a pure function of it. */

/** Which part of the request differs first, in the order a reader looks. */
export type Layer = 'method' | 'url' | 'headers' | 'settings' | 'system' | 'tools' | 'messages' | 'body' | 'tool input'

export type DivergenceKind =
  /** A request that no recorded interaction equals. */
  | 'changed'
  /** It equals a recorded interaction, but not the one whose turn it is. */
  | 'reordered'
  /** Every recorded interaction of the lane is used up. */
  | 'exhausted'
  /** The recording has another kind of step at this place. */
  | 'wrong kind'

/** What a call is, where kinds are compared. `failed call`: a model call that was recorded failing. */
export type StepKind = 'turn' | 'fold' | 'failed call' | 'http' | 'tool' | 'call'

export interface DivergenceDetails {
  readonly kind: DivergenceKind
  readonly test: string
  /** Relative to the package root. */
  readonly cassette: string
  readonly mode: string
  /** Turn the run was at, 1-based; undefined for a call that is no model call. */
  readonly turn: number | undefined
  /** How many turns the cassette has. */
  readonly recordedTurns: number
  readonly lane: string | undefined
  /** One line: method, URL, model. */
  readonly request: string
  readonly requestHash: string
  /** `reordered` and `wrong kind`: whose turn it was. */
  readonly expected?: { readonly number: number; readonly turn: number | undefined }
  /** `wrong kind`: what the run made, what the recording has, and that one in a line. */
  readonly steps?: {
    readonly made: { readonly kind: StepKind }
    readonly recorded: { readonly kind: StepKind; readonly request: string }
  }
  /** The option `upTo`, where the replay ends at it and the cassette goes on. */
  readonly upTo?: number
  /** The nearest recorded interaction, if the cassette has any at all. */
  readonly nearest: NearestInteraction | undefined
  /** Members that differ between `nearest` and the request, first by layer and place; at most a few, the rest counted. */
  readonly changes: readonly Change[]
  readonly changesTotal: number
  readonly hints: readonly Hint[]
  readonly remedies: readonly Remedy[]
}

export interface NearestInteraction {
  readonly number: number
  readonly turn: number | undefined
  readonly hash: string
  /** `next`: the one expected here. `played`: already served in this run. `later`: further on in the lane. `other lane` */
  readonly state: 'next' | 'played' | 'later' | 'other lane'
  /** Set where the state is `other lane` and that lane has a name. */
  readonly lane?: string
}

export interface Change {
  readonly layer: Layer
  /** As a reader writes it: `messages[2].content`, `tools[0].function.parameters.properties.city.type`. */
  readonly path: string
  readonly change: 'changed' | 'added' | 'removed'
  /** What the path lies in, for a reader: `user message`, `result of get_weather`, `tool get_weather`. */
  readonly about?: string
  /** 1-based, where the first change lies in a text of several lines. */
  readonly line?: number
  /**
   * Recorded and present value as text, redacted and elided around the change; undefined where it is absent.
   * Strings are quoted; of a text of several lines each changed one stands, quoted, on its own line.
   */
  readonly recorded: string | undefined
  readonly present: string | undefined
}

export type Hint =
  /** Only volatile values differ: the normaliser line that makes them equal. */
  | { readonly kind: 'volatile'; readonly what: 'dates' | 'uuids' | 'temporary paths'; readonly line: string }
  /** The request equals an earlier recorded turn that was already played. */
  | { readonly kind: 'repeats'; readonly turn: number }
  /** The request equals a later recorded turn: those between were skipped. */
  | {
      readonly kind: 'skips'
      readonly turn: number
      readonly skipped: readonly number[]
      /** Those of the skipped ones that compact the conversation. */
      readonly folds?: readonly number[]
    }
  /** Nothing but the limit of the answer's length differs: the normaliser line that makes them equal. */
  | { readonly kind: 'output limit'; readonly line: string }
  /** The request equals a fold that was already served: the conversation was compacted once more. */
  | { readonly kind: 'fold again'; readonly turn: number }
  /** Recorded under other versions: `openai 6.49.0` then, `7.59.0` now. */
  | { readonly kind: 'versions'; readonly name: string; readonly recorded: string; readonly present: string }
  /** The request was made in a lane that the cassette does not have. */
  | { readonly kind: 'lanes'; readonly present: string | undefined; readonly recorded: readonly string[] }

/** Something to do, shown as it stands: a command, or a line of code. */
export interface Remedy {
  readonly why: string
  readonly command: string
}
