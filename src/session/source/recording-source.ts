/**
 * Where a session replays from: the committed cassette or, without one, the pending recording of an earlier run.
 * Owns the replay queue and the normalised comparison with what is recorded.
 */

import { takesTurn } from '../../core/capture/model-call.ts'
import {
  type HttpRequest,
  type Interaction,
  isHttpInteraction,
  type Json,
  type SideFiles,
  type ValueInteraction,
} from '../../core/cassette/document.ts'
import { clientIds, collectIds } from '../../core/matching/client-ids.ts'
import { normalisedKey, normalisedValueKey } from '../../core/matching/normalise-request.ts'
import type { Normaliser } from '../../core/matching/normaliser.ts'
import {
  type Call,
  type FoundBy,
  type QueueEntry,
  ReplayQueue,
  type TakeResult,
} from '../../core/matching/replay-queue.ts'
import { isTurnCall } from '../../core/turns/group-turns.ts'
import { type Part, wholeCassette } from '../../core/turns/part.ts'
import { type SplitCassette, splitAtTurns, turnOfEach } from '../../core/turns/replay-part.ts'
import type { StoredCassette } from '../../store/cassette-store.ts'
import { type Allowances, nothingAllowed } from '../tape-options.ts'
import { GrowingRequests } from './growing-requests.ts'

export interface SourceInit {
  readonly stored: StoredCassette
  readonly from: 'committed' | 'pending'
  readonly order: 'recorded' | 'any'
  readonly normalisers: readonly Normaliser[]
  /** Default: the whole cassette. */
  readonly part?: Part
  /** Default: nothing is allowed. */
  readonly allow?: Allowances
}

/** An HTTP call that asks for its recorded answer. */
export interface HttpTake {
  readonly lane: string | undefined
  readonly hash: string
  readonly request: HttpRequest
  /** Absent: it gets what equals it, and nothing else. */
  readonly kind?: 'model' | 'http'
  /** Made inside `tape.fold`. Default: no. */
  readonly isFold?: boolean
}

/** What answers a call that equals nothing that may come now. */
export interface InPlace {
  readonly number: number
  readonly by: FoundBy
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
  readonly growing = new GrowingRequests()
  readonly queue: ReplayQueue
  readonly part: Part
  readonly split: SplitCassette
  readonly #allow: Allowances
  readonly #normalisers: readonly Normaliser[]
  readonly #keys = new Map<number, string>()
  #serverIds: Set<string> | undefined
  #redacted: boolean | undefined
  #turns: ReadonlyMap<number, number> | undefined
  #byId: ReadonlyMap<string, readonly number[]> | undefined

  constructor(init: SourceInit) {
    this.from = init.from
    this.stored = init.stored
    this.part = init.part ?? wholeCassette
    this.split = splitAtTurns(init.stored.cassette.interactions, this.part)
    this.#allow = init.allow ?? nothingAllowed
    this.#normalisers = init.normalisers
    this.queue = new ReplayQueue(entriesOf(this.split, this.#allow), init.order)
  }

  /** All of the cassette, the part that is replayed and what lies around it. */
  get interactions(): readonly Interaction[] {
    return this.stored.cassette.interactions
  }

  get sideFiles(): SideFiles {
    return this.stored.sideFiles
  }

  /** True when the recording holds placeholders of removed secrets: their numbers are then taken as they are served. */
  get redacted(): boolean {
    this.#redacted ??= this.stored.bytes.includes('<redacted:')
    return this.#redacted
  }

  interaction(number: number): Interaction {
    return this.stored.cassette.interactions[number - 1] as Interaction
  }

  /** The recorded turn that an interaction belongs to. */
  turnOf(number: number): number | undefined {
    this.#turns ??= turnOfEach(this.interactions)
    return this.#turns.get(number)
  }

  /** Takes the interaction that answers this HTTP request, by hash first, by normalised form where no hash is equal. */
  takeHttp(call: HttpTake): TakeResult {
    return this.queue.take(this.#httpCall(call))
  }

  /** The number of a GET that equals this one and was used up, where `allow.repeatedGets` lets it be served again. */
  repeatedGet(call: HttpTake): number | undefined {
    if (!this.#allow.repeatedGets || call.kind !== 'http' || !/^(?:GET|HEAD)$/.test(call.request.method))
      return undefined
    return this.queue.servedEqual(this.#httpCall(call))
  }

  /**
   * AR-03: what answers a call that equals nothing that may come now, with `strict: false`. A turn gets the next
   * one of its lane; any other call an equal one wherever it stands, else the next to the same place. Takes nothing.
   */
  httpInPlace(call: HttpTake): InPlace | undefined {
    const isTurn = makesTurn(call)
    const fits = (number: number): boolean =>
      isTurn ? isTurnCall(this.interaction(number)) : this.#isSamePlace(number, call)
    return this.queue.inPlace({ ...this.#httpCall(call), fits, anyOrder: !isTurn })
  }

  /**
   * The same as `takeHttp` for a tool call or `call`: first by the model's call id and the name, whatever the input
   * (AR-25), then by name and input. An id that the recording holds more than once says nothing by itself: the input must
   * agree as well. Normalisers see the input as a body.
   */
  takeValue(call: ValueTake): TakeResult {
    return this.queue.take(this.#valueCall(call))
  }

  /**
   * What answers a value call that equals nothing that may come now, with `strict: false`: an equal one wherever it
   * stands; of a `call` then the next one of its name. Of a tool nothing else: it runs (AR-26). Takes nothing.
   */
  valueInPlace(call: ValueTake): InPlace | undefined {
    const wanted = this.#valueCall(call)
    const { fits = () => false } = wanted
    const mayFit = (number: number): boolean =>
      fits(number) && (call.kind === 'call' || this.interaction(number).unverifiable !== undefined)
    return this.queue.inPlace({ ...wanted, fits: mayFit, anyOrder: true })
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

  #httpCall(call: HttpTake): Call {
    let key: string | undefined
    const sameAs = (number: number): boolean => {
      const recorded = this.interaction(number)
      if (!isHttpInteraction(recorded)) return false
      if (recorded.request.method !== call.request.method) return false
      key ??= this.#httpKey(call.request)
      return this.#keyed(number, () => this.#httpKey(recorded.request)) === key
    }
    const fits = (number: number): boolean => {
      const recorded = this.interaction(number)
      if (!isTurnCall(recorded)) return this.#isSamePlace(number, call)
      return makesTurn(call) && (recorded.fold === true) === (call.isFold === true)
    }
    return { lane: call.lane, hash: call.hash, sameAs, fits }
  }

  #isSamePlace(number: number, { kind, request }: HttpTake): boolean {
    const recorded = this.interaction(number)
    if (recorded.kind !== kind || !isHttpInteraction(recorded)) return false
    const placeOf = (url: string): string => url.split('?', 1)[0] as string
    return recorded.request.method === request.method && placeOf(recorded.request.url) === placeOf(request.url)
  }

  #valueCall(call: ValueTake): Call {
    let key: string | undefined
    const isSameTool = (number: number): boolean => {
      const recorded = this.interaction(number)
      return recorded.kind === call.kind && recorded.request.name === call.request.name
    }
    const sameAs = (number: number): boolean => {
      const recorded = this.interaction(number)
      if (isHttpInteraction(recorded) || !isSameTool(number)) return false
      const keyOf = (request: ValueInteraction['request']): string => this.#valueKey(call.kind, request)
      key ??= keyOf(call.request)
      return this.#keyed(number, () => keyOf(recorded.request)) === key
    }
    const withId = call.callId ? (this.#numbersById().get(idKey(call, call.callId)) ?? []) : []
    const equal = (number: number): boolean => this.interaction(number).hash === call.hash || sameAs(number)
    const byId = withId.length === 1 && !call.inputMustAgree ? withId : withId.filter(equal)
    return { lane: call.lane, hash: call.hash, sameAs, byId, fits: isSameTool }
  }

  #numbersById(): ReadonlyMap<string, readonly number[]> {
    if (this.#byId !== undefined) return this.#byId
    const byId = new Map<string, number[]>()
    for (const interaction of this.interactions) {
      if (isHttpInteraction(interaction) || !interaction.callId) continue
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

  // Ids that the recording's own responses handed out are no client's invention: they must come back as they are. Those of
  // turns before `from` were never handed out to this run, which may have made up others in the history it starts with.
  #ids(): ReadonlySet<string> {
    this.#serverIds ??= new Set(
      this.split.inside.flatMap((interaction) => responseValues(interaction).flatMap(collectIds)),
    )
    return this.#serverIds
  }
}

function entriesOf({ before, inside, stillOpen }: SplitCassette, allow: Allowances): readonly QueueEntry[] {
  const open = before.flatMap((interaction) =>
    stillOpen.has(interaction.number) ? [{ ...interaction, optional: true as const }] : [],
  )
  let isSubstituted = false
  const entries = inside.map((interaction): QueueEntry => {
    isSubstituted ||= interaction.substituted !== undefined && !allow.substitution
    const isRefused = isSubstituted || (interaction.incomplete !== undefined && !allow.incomplete)
    if (isRefused) return { ...interaction, serving: 'never' }
    if (interaction.unverifiable === undefined) return interaction
    return { ...interaction, serving: allow.unhashed ? 'unchecked' : 'never' }
  })
  return [...open, ...entries]
}

type Identified = Pick<ValueTake, 'kind' | 'request'> & { readonly lane?: string | undefined }

function makesTurn({ kind = 'http', request }: HttpTake): boolean {
  return takesTurn(kind, request.url)
}

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
