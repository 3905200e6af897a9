/**
 * Where a session replays from: the committed cassette or, without one, the pending recording of an earlier run.
 * Owns the replay queue and the normalised comparison with what is recorded.
 */

import {
  type HttpRequest,
  type Interaction,
  isHttpInteraction,
  type Json,
  type SideFiles,
  type ValueInteraction,
} from '../core/cassette/document.ts'
import { clientIds, collectIds } from '../core/matching/client-ids.ts'
import { normalisedKey, normalisedValueKey } from '../core/matching/normalise-request.ts'
import type { Normaliser } from '../core/matching/normaliser.ts'
import { ReplayQueue, type TakeResult } from '../core/matching/replay-queue.ts'
import type { StoredCassette } from '../store/cassette-store.ts'

export interface SourceInit {
  readonly stored: StoredCassette
  readonly from: 'committed' | 'pending'
  readonly order: 'recorded' | 'any'
  readonly normalisers: readonly Normaliser[]
}

/** A tool call or `call` that asks for its recorded result. */
export interface ValueTake {
  readonly lane: string | undefined
  readonly hash: string
  readonly kind: 'tool' | 'call'
  readonly callId: string | undefined
  readonly request: ValueInteraction['request']
  /** A call id alone is not enough: in this run a changed input goes live, or is written. */
  readonly inputMustAgree: boolean
}

export class RecordingSource {
  readonly from: 'committed' | 'pending'
  readonly stored: StoredCassette
  readonly queue: ReplayQueue
  readonly #normalisers: readonly Normaliser[]
  readonly #keys = new Map<number, string>()
  #serverIds: Set<string> | undefined
  #redacted: boolean | undefined
  #byId: ReadonlyMap<string, readonly number[]> | undefined

  constructor(init: SourceInit) {
    this.from = init.from
    this.stored = init.stored
    this.#normalisers = init.normalisers
    this.queue = new ReplayQueue(init.stored.cassette.interactions, init.order)
  }

  get interactions(): readonly Interaction[] {
    return this.stored.cassette.interactions
  }

  get sideFiles(): SideFiles {
    return this.stored.sideFiles
  }

  /** True when the recording holds placeholders of removed secrets: their numbers are then taken as they are served. */
  get redacted(): boolean {
    this.#redacted ??= this.stored.text.includes('<redacted:')
    return this.#redacted
  }

  interaction(number: number): Interaction {
    return this.interactions[number - 1] as Interaction
  }

  /** Takes the interaction that answers this HTTP request, by hash first, by normalised form where no hash is equal. */
  takeHttp(call: {
    readonly lane: string | undefined
    readonly hash: string
    readonly request: HttpRequest
  }): TakeResult {
    let key: string | undefined
    const sameAs = (number: number): boolean => {
      const recorded = this.interaction(number)
      if (!isHttpInteraction(recorded)) return false
      if (recorded.request.method !== call.request.method) return false
      key ??= this.#httpKey(call.request)
      return this.#keyed(number, () => this.#httpKey(recorded.request)) === key
    }
    return this.queue.take({ lane: call.lane, hash: call.hash, sameAs })
  }

  /**
   * The same for a tool call or `call`: first by the model's call id and the name, whatever the input (AR-25), then by
   * name and input. An id that the recording holds more than once says nothing by itself: the input must agree as well.
   * Normalisers see the input as a body.
   */
  takeValue(call: ValueTake): TakeResult {
    let key: string | undefined
    const sameAs = (number: number): boolean => {
      const recorded = this.interaction(number)
      if (isHttpInteraction(recorded) || recorded.kind !== call.kind) return false
      if (recorded.request.name !== call.request.name) return false
      const keyOf = (request: ValueInteraction['request']): string => this.#valueKey(call.kind, request)
      key ??= keyOf(call.request)
      return this.#keyed(number, () => keyOf(recorded.request)) === key
    }
    const withId = call.callId === undefined ? [] : (this.#numbersById().get(idKey(call, call.callId)) ?? [])
    const equal = (number: number): boolean => this.interaction(number).hash === call.hash || sameAs(number)
    const byId = withId.length === 1 && !call.inputMustAgree ? withId : withId.filter(equal)
    return this.queue.take({ lane: call.lane, hash: call.hash, sameAs, byId })
  }

  /**
   * Takes the interaction whose request this value call is to replace (`rebase`): the one of its call id, else the next
   * of its lane, if that is a call of the same name. Undefined: neither.
   */
  rebaseValue(call: Omit<ValueTake, 'inputMustAgree'>): number | undefined {
    const taken = this.takeValue({ ...call, inputMustAgree: false })
    if (taken.kind === 'served') return taken.number
    const next = this.queue.positional(call.lane)
    const recorded = next === undefined ? undefined : this.interaction(next)
    if (next === undefined || recorded?.kind !== call.kind || recorded.request.name !== call.request.name) return
    this.queue.serve(next)
    return next
  }

  /** Every normaliser in force, the built-in one for client-made ids first. */
  get normalise(): Normaliser {
    const all = [clientIds(this.#ids()), ...this.#normalisers]
    return (request) => all.reduce((so, normaliser) => normaliser(so), request)
  }

  #numbersById(): ReadonlyMap<string, readonly number[]> {
    if (this.#byId !== undefined) return this.#byId
    const byId = new Map<string, number[]>()
    for (const interaction of this.interactions) {
      if (isHttpInteraction(interaction) || interaction.callId === undefined) continue
      const key = idKey(interaction, interaction.callId)
      const numbers = byId.get(key)
      if (numbers === undefined) byId.set(key, [interaction.number])
      else numbers.push(interaction.number)
    }
    this.#byId = byId
    return byId
  }

  #httpKey(request: HttpRequest): string {
    return normalisedKey({ request, normalisers: this.#normalisers, serverIds: this.#ids() })
  }

  #valueKey(kind: 'tool' | 'call', request: ValueInteraction['request']): string {
    return normalisedValueKey({ request: { kind, ...request }, normalisers: this.#normalisers })
  }

  #keyed(number: number, make: () => string): string {
    const known = this.#keys.get(number)
    if (known !== undefined) return known
    const key = make()
    this.#keys.set(number, key)
    return key
  }

  // Ids that the recording's own responses handed out are no client's invention: they must come back as they are.
  #ids(): ReadonlySet<string> {
    this.#serverIds ??= new Set(
      this.interactions.flatMap((interaction) => responseValues(interaction).flatMap(collectIds)),
    )
    return this.#serverIds
  }
}

type Identified = Pick<ValueTake, 'kind' | 'request'> & { readonly lane?: string | undefined }

/** An id is one model's, so that lanes do not share it. */
function idKey({ kind, lane, request }: Identified, callId: string): string {
  return JSON.stringify([kind, lane ?? null, request.name, callId])
}

function responseValues(interaction: Interaction): readonly Json[] {
  const body = isHttpInteraction(interaction) ? interaction.response?.body : undefined
  if (body === undefined) return []
  if ('json' in body) return [body.json]
  if ('events' in body) return body.events.flatMap((event) => ('data' in event ? [event.data] : []))
  return []
}
