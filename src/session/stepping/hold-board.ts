/**
 * Which lanes of one test are held (`tape.hold`), and the gates that its streams pass. Owns no stream and no chunk; what a
 * step is, is `lane-stepper.ts`.
 */
import type { ReplayError } from '../../errors/replay-error.ts'
import type { Pace } from '../../replaying/pace.ts'
import { LaneStepper, type Step, type Stepper } from './lane-stepper.ts'
import { StreamGate } from './stream-gate.ts'

export interface HoldsAtEnd {
  /** Streams that were held to the end. */
  readonly held: number
  /** Of each step that was still waiting. */
  readonly unmet: readonly ReplayError[]
}

export class HoldBoard {
  readonly #test: string
  readonly #realm: typeof globalThis
  readonly #steppers = new Map<string | undefined, LaneStepper>()
  #failure: Error | undefined
  #ended = false

  constructor({ test, realm }: { readonly test: string; readonly realm: typeof globalThis }) {
    this.#test = test
    this.#realm = realm
  }

  /** The stepper of this lane, the one that holds it already where there is one. */
  hold(lane: string | undefined): Stepper {
    const known = this.#steppers.get(lane)
    if (known !== undefined) return known
    const stepper = new LaneStepper({
      lane,
      test: this.#test,
      onRelease: () => this.#steppers.delete(lane),
      own: (step) => this.#realm.JSON.parse(JSON.stringify(step)) as Step,
    })
    if (this.#failure !== undefined) stepper.fail(this.#failure)
    if (this.#ended) stepper.end()
    else this.#steppers.set(lane, stepper)
    return stepper
  }

  /** A gate for a stream that begins now. `pace`: of a replayed one. */
  gate(lane: string | undefined, pace?: Pace): StreamGate {
    const gate = new StreamGate({ lane, pace, keeper: () => this.#keeper(lane) })
    if (gate.isHeld()) pace?.suspend()
    return gate
  }

  /** True while a test steps through the streams of this lane. */
  isHeld(lane: string | undefined): boolean {
    return this.#keeper(lane) !== undefined
  }

  // Asked for every chunk of every stream, most of which nobody holds.
  #keeper(lane: string | undefined): LaneStepper | undefined {
    if (this.#steppers.size === 0) return undefined
    return this.#steppers.get(lane) ?? this.#steppers.get(undefined)
  }

  /** The test has failed: no step waits for a stream that may never begin. */
  fail(error: Error): void {
    this.#failure ??= error
    for (const stepper of this.#steppers.values()) stepper.fail(error)
  }

  /** Lets everything go. */
  end(): HoldsAtEnd {
    this.#ended = true
    const steppers = [...this.#steppers.values()]
    this.#steppers.clear()
    const held = steppers.reduce((total, { openStreams }) => total + openStreams, 0)
    return { held, unmet: steppers.flatMap((stepper) => stepper.end() ?? []) }
  }
}
