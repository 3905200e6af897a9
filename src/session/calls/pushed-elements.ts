import type { Failure, Json, ValueResult } from '../../core/cassette/document.ts'
import { ElementTimes } from './element-times.ts'

/** Takes what a live call says, element by element, from a side that is no iterable: a connection. */
export interface ElementSink {
  push(element: unknown): void
  /** The call could not be made, or broke: nothing more comes. */
  fail(error: unknown): void
  /** Nothing more comes. */
  end(): void
}

/** A call whose answer is pushed. */
export interface PushedAnswer {
  /** Makes the call. */
  readonly live: (sink: ElementSink) => void
  /** True once the call is answered: with this element, or, asked without one, as soon as it is made. What comes later is kept with it. */
  readonly isAnswered: (last: Json | undefined) => boolean
  /** What is stored instead of these elements, where there is something plainer. */
  readonly plainly: (elements: readonly Json[]) => ValueResult | undefined
}

/** What recording pushed elements needs of the call. */
export interface PushKeeper extends Omit<PushedAnswer, 'live'> {
  /** Never throws: an element that cannot be stored is the test's failure, not the caller's. */
  readonly element: (element: unknown, elements: Json[]) => void
  readonly failure: (error: unknown) => Failure
  /** Called when the call is answered, and again with all there is at every element after that. */
  readonly keep: (result: ValueResult) => void
  readonly now: () => number
}

/** Keeps pushed elements. All of it is synchronous: a call has ended before its caller sees the answer. */
export class PushedElements implements ElementSink {
  readonly #keeper: PushKeeper
  readonly #elements: Json[] = []
  readonly #times: ElementTimes
  #state: 'waited for' | 'answered' | 'ended' = 'waited for'

  constructor(keeper: PushKeeper) {
    this.#keeper = keeper
    this.#times = new ElementTimes(keeper.now)
  }

  /** The call has been made. */
  made(): void {
    this.#look(undefined)
  }

  push(element: unknown): void {
    if (this.#state === 'ended') return
    this.#times.arrived()
    const count = this.#elements.length
    this.#keeper.element(element, this.#elements)
    if (this.#elements.length > count) this.#look(this.#elements[this.#times.kept(this.#elements.length) - 1])
  }

  fail(error: unknown): void {
    if (this.#state === 'ended') return
    this.#state = 'ended'
    const failure = { error: this.#keeper.failure(error) }
    this.#keeper.keep(this.#elements.length === 0 ? failure : { ...this.#all(), ...failure })
  }

  end(): void {
    if (this.#state === 'waited for') this.#keep()
    this.#state = 'ended'
  }

  #look(last: Json | undefined): void {
    if (this.#state === 'waited for' && this.#keeper.isAnswered(last)) this.#state = 'answered'
    if (this.#state === 'answered') this.#keep()
  }

  #keep(): void {
    this.#keeper.keep(this.#keeper.plainly(this.#elements) ?? this.#all())
  }

  #all(): Extract<ValueResult, { elements: unknown }> {
    return { elements: [...this.#elements], ...this.#times.gaps }
  }
}
