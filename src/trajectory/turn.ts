/**
 * What people reason about: the turns of a test, each with what the model said in it. Reads interactions and decodes them
 * when asked, not before; knows no file, no runner, and not whether the run records or replays.
 */
import type { HttpInteraction, Interaction, ValueInteraction } from '../core/cassette/document.ts'
import { groupTurns, type TurnGroup } from '../core/turns/group-turns.ts'
import type { Block, DecodedAnswer, Usage } from '../wire/block.ts'
import { settingsOf, toolResultsOf } from '../wire/read-request.ts'
import type { SentToolResult, Settings } from '../wire/request-reader.ts'
import { backgroundAnswer } from './background-answer.ts'
import { decodedAnswer, noSideFiles, requestValue, type SideFileReader, wireOfCall } from './decoded-answer.ts'
import { type ToolCall, toolCallsOf } from './tool-calls.ts'

/** One model call that answered. What is said in it is decoded at its first use. */
export interface Turn {
  /** 1-based, over all lanes, in the order the answered calls started. */
  readonly number: number
  readonly lane: string | undefined
  readonly interaction: HttpInteraction
  /** The failed tries of the same call before it: never joined with it. */
  readonly attempts: readonly HttpInteraction[]
  /** The tools (`tape.tool`) that ran between this turn and the next one of its lane, asked for or not. */
  readonly toolRuns: readonly ValueInteraction[]
  /** True: the call compacted the conversation. Only where `tape.fold` said so; never guessed. */
  readonly isFold: boolean
  /** In the order the provider gives them without streaming. Empty where the answer speaks no wire that we know. */
  readonly blocks: readonly Block[]
  /** The text blocks, joined. */
  readonly text: string
  /** Those the model asked for, in its order. */
  readonly toolCalls: readonly ToolCall[]
  /** Undefined: the answer does not say it (a stream of OpenAI's without `include_usage`). */
  readonly usage: Usage | undefined
  /** That answered; where the answer does not say it, the one that was asked. */
  readonly model: string | undefined
  /** What the request asked with; undefined where it is no JSON of a wire that we know. */
  readonly settings: Settings | undefined
  /** The provider's own word. */
  readonly finishReason: string | undefined
  /** False: the answer was cut, by its caller, by the server or by the end of the recording; what came of it is kept. */
  readonly finished: boolean
  /** That ended the answer part way. */
  readonly error: TurnError | undefined
}

export interface TurnError {
  /** `overloaded_error`; for a connection that broke the name of the client's error. */
  readonly type?: string
  readonly code?: string | number
  readonly message: string
}

export interface TrajectorySource {
  /** Numbered from 1, in order. */
  readonly interactions: readonly Interaction[]
  /** Where an answer lies in a side file. Default: none. */
  readonly sideFiles?: SideFileReader
}

/** The turns of a test, in order. */
export function buildTrajectory({ interactions, sideFiles = noSideFiles }: TrajectorySource): readonly Turn[] {
  return groupTurns(interactions).map((group) => new LazyTurn(group, { interactions, sideFiles }))
}

class LazyTurn implements Turn {
  readonly number: number
  readonly lane: string | undefined
  readonly interaction: HttpInteraction
  readonly attempts: readonly HttpInteraction[]
  readonly toolRuns: readonly ValueInteraction[]
  readonly isFold: boolean
  readonly #source: Required<TrajectorySource>
  #toolCalls: readonly ToolCall[] | undefined

  constructor(group: TurnGroup, source: Required<TrajectorySource>) {
    this.number = group.number
    this.lane = group.lane
    this.interaction = group.interaction
    this.attempts = group.attempts
    this.toolRuns = group.toolRuns
    this.isFold = group.interaction.fold === true
    this.#source = source
  }

  get blocks(): readonly Block[] {
    return this.#answer?.blocks ?? []
  }

  get text(): string {
    return this.blocks.map((block) => (block.kind === 'text' ? block.text : '')).join('')
  }

  get toolCalls(): readonly ToolCall[] {
    this.#toolCalls ??= toolCallsOf({
      blocks: this.blocks,
      toolRuns: this.toolRuns,
      carried: this.#resultsIn(this.interaction),
      later: this.#laterResults(),
    })
    return this.#toolCalls
  }

  get usage(): Usage | undefined {
    return this.#answer?.usage
  }

  get model(): string | undefined {
    return this.#answer?.model ?? this.settings?.model
  }

  get settings(): Settings | undefined {
    const request = requestValue(this.interaction)
    const wire = wireOfCall(this.interaction, this.#source.sideFiles)
    if (wire === undefined || request === undefined) return undefined
    return settingsOf({ wire, url: this.interaction.request.url, request })
  }

  get finishReason(): string | undefined {
    return this.#answer?.finishReason
  }

  get finished(): boolean {
    if (this.interaction.incomplete !== undefined) return false
    const end = this.interaction.response?.body?.end
    return this.#answer?.finished ?? (end === undefined || end.kind === 'complete')
  }

  get error(): TurnError | undefined {
    const said = this.#answer?.error
    if (said !== undefined) return said
    const end = this.interaction.response?.body?.end
    if (end?.kind !== 'failed') return undefined
    const { name, code, message } = end.failure
    return { type: name, ...(code !== undefined && { code }), message }
  }

  get #answer(): DecodedAnswer | undefined {
    const answer = decodedAnswer(this.interaction, this.#source.sideFiles)
    if (answer === undefined || answer.finished) return answer
    return backgroundAnswer(answer, { after: this.interaction.number, ...this.#source }) ?? answer
  }

  #resultsIn(interaction: HttpInteraction): readonly SentToolResult[] {
    const request = requestValue(interaction)
    const wire = wireOfCall(interaction, this.#source.sideFiles)
    return wire === undefined || request === undefined ? [] : toolResultsOf(request, wire)
  }

  // A call that started before this one had ended cannot carry its results.
  *#laterResults(): Iterable<readonly SentToolResult[]> {
    const { number } = this.interaction
    for (const later of this.#source.interactions) {
      if (later.kind !== 'model' || later.number <= number || later.lane !== this.lane) continue
      if (later.overlaps?.includes(number) !== true) yield this.#resultsIn(later)
    }
  }
}
