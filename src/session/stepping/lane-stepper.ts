import { setImmediate } from 'node:timers'
import { ReplayError } from '../../errors/replay-error.ts'
import type { PartKind, StreamPart } from '../../wire/stream-parts.ts'
import type { GateKeeper, StreamGate } from './stream-gate.ts'

// Bound here: a test's fake timers replace what modules export later on.
const afterThisTask = setImmediate

/**
 * Steps through streams by hand: nothing of a held stream, its end included, reaches the code under test before a step or
 * `release` lets it through. Streams that are held together are stepped one after the other, the one that began first.
 */
export interface Stepper {
  /**
   * Lets chunks through until so many parts of the kind have come: `next('text', 3)`. Without a kind: until so many chunks
   * have. A kind is one of `PartKind`, or an event's own name (`response.completed`). Chunks stay whole, so that more parts
   * may come than were asked for. `count` defaults to 1.
   *
   * Settles when the code under test has been given them and the event loop has turned twice since. Waits for the next
   * stream where none is open. Steps that are asked for together run one after the other.
   * Errors: TURNTAPE_STEP_UNMET when the test ends before; TURNTAPE_USAGE after `release`, or for a count that is none.
   */
  next(kind?: PartKind | (string & {}), count?: number): Promise<Step>
  /** Lets everything through from now on. `tape.hold()` holds again. */
  release(): void
}

/** What one step let through. */
export interface Step {
  /** In order, of every kind. */
  readonly parts: readonly StreamPart[]
  /** The text of the stream so far, from where it was held. */
  readonly text: string
  /** How many of what was asked for came: parts of the kind, or chunks. */
  readonly count: number
  /** False: the stream ended, or was released, before there were as many. */
  readonly reached: boolean
  /** True: the stream that was stepped has ended. Each end is told once; the next step is one of the next stream. */
  readonly done: boolean
}

interface OpenStep {
  readonly kind: string | undefined
  readonly wanted: number
  readonly parts: StreamPart[]
  count: number
  readonly settle: (step: Step) => void
  readonly reject: (error: Error) => void
}

/** A stream that is held: its text so far, and its reader where it waits. */
interface HeldStream {
  text: string
  letThrough: (() => void) | undefined
}

export interface LaneStepperInit {
  /** Undefined: every lane that no other stepper holds. */
  readonly lane: string | undefined
  /** Full name of the test. */
  readonly test: string
  readonly onRelease: (stepper: LaneStepper) => void
  /** As an object of the test's realm. */
  readonly own: (step: Step) => Step
}

export class LaneStepper implements Stepper, GateKeeper {
  readonly #init: LaneStepperInit
  /** In the order they asked first. */
  readonly #streams = new Map<StreamGate, HeldStream>()
  #step: OpenStep | undefined
  /** The last step asked for; undefined: none is under way. */
  #last: Promise<unknown> | undefined
  #state: 'holding' | 'released' | 'ended' = 'holding'
  #streamsSeen = 0
  #failure: Error | undefined

  constructor(init: LaneStepperInit) {
    this.#init = init
  }

  get lane(): string | undefined {
    return this.#init.lane
  }

  /** Streams that have not ended. */
  get openStreams(): number {
    return [...this.#streams.keys()].filter((gate) => !gate.isOver).length
  }

  next(kind?: string, count = 1): Promise<Step> {
    const begin = (): Promise<Step> => this.#begin(kind, count)
    const step = this.#last === undefined ? begin() : this.#last.then(begin)
    // Handled here: a step that nobody awaits fails the test by itself, when the test ends.
    const last = step
      .catch(() => {})
      .then(() => {
        if (this.#last === last) this.#last = undefined
      })
    this.#last = last
    return step
  }

  release(): void {
    if (this.#state !== 'holding') return
    this.#state = 'released'
    this.#init.onRelease(this)
    this.#letAllThrough()
    if (this.#step !== undefined) this.#finish(this.#step, this.#active)
  }

  /** The test has failed: a step that waits for a stream to begin has nothing to wait for any more. */
  fail(error: Error): void {
    this.#failure ??= error
    if (this.#step === undefined || this.openStreams > 0) return
    this.#step.reject(error)
    this.#step = undefined
  }

  /** The test ended. Gives the error of a step that was still waiting. */
  end(): ReplayError | undefined {
    if (this.#state !== 'holding') return undefined
    this.#state = 'ended'
    const step = this.#step
    const error = step === undefined ? undefined : this.#unmet(step)
    this.#step = undefined
    this.#letAllThrough()
    if (error !== undefined) step?.reject(error)
    return error
  }

  ask(gate: StreamGate): Promise<void> | undefined {
    if (this.#state !== 'holding') return undefined
    const stream = this.#join(gate)
    if (this.#step !== undefined && gate === this.#active) return undefined
    return new Promise((resolve) => {
      stream.letThrough = () => {
        stream.letThrough = undefined
        resolve()
      }
    })
  }

  passed(gate: StreamGate, parts: readonly StreamPart[]): void {
    const stream = this.#join(gate)
    stream.text += parts.map(({ kind, text }) => (kind === 'text' ? text : '')).join('')
    const step = this.#step
    if (step === undefined || gate !== this.#active) return
    step.parts.push(...parts)
    step.count +=
      step.kind === undefined ? 1 : parts.filter(({ kind, type }) => [kind, type].includes(step.kind)).length
    if (step.count >= step.wanted) this.#finish(step, gate)
  }

  over(gate: StreamGate): void {
    if (this.#step !== undefined && gate === this.#active) this.#finish(this.#step, gate)
  }

  get #active(): StreamGate | undefined {
    return this.#streams.keys().next().value
  }

  #join(gate: StreamGate): HeldStream {
    const known = this.#streams.get(gate)
    if (known !== undefined) return known
    const stream: HeldStream = { text: '', letThrough: undefined }
    this.#streams.set(gate, stream)
    this.#streamsSeen += 1
    gate.pace?.suspend()
    return stream
  }

  async #begin(kind: string | undefined, wanted: number): Promise<Step> {
    if (!Number.isSafeInteger(wanted) || wanted < 1) {
      throw usage(`hold().next was given the count ${String(wanted)}`, 'A count is a whole number, 1 or more.')
    }
    if (this.#state !== 'holding') {
      const problem = this.#state === 'released' ? 'after release()' : 'after its test had ended'
      throw usage(
        `hold().next was called ${problem}`,
        'Nothing is held any more: tape.hold() in a running test holds again.',
      )
    }
    if (this.#failure !== undefined && this.#active === undefined) throw this.#failure
    return new Promise((settle, reject) => {
      const step: OpenStep = { kind, wanted, parts: [], count: 0, settle, reject }
      this.#step = step
      const gate = this.#active
      if (gate?.isOver === true) this.#finish(step, gate)
      else if (gate !== undefined) this.#streams.get(gate)?.letThrough?.()
    })
  }

  /** From here on the stream is held again; told once what was let through has had its effect. */
  #finish(step: OpenStep, gate: StreamGate | undefined): void {
    this.#step = undefined
    const text = (gate === undefined ? undefined : this.#streams.get(gate)?.text) ?? ''
    afterThisTask(() =>
      afterThisTask(() => {
        const done = gate?.isOver === true
        if (gate !== undefined && done) this.#streams.delete(gate)
        const { parts, count, wanted } = step
        step.settle(this.#init.own({ parts, text, count, reached: count >= wanted, done }))
      }),
    )
  }

  #letAllThrough(): void {
    for (const [gate, { letThrough }] of this.#streams) {
      gate.pace?.resume()
      letThrough?.()
    }
  }

  #unmet({ kind, wanted, count }: OpenStep): ReplayError {
    const { lane, test } = this.#init
    return new ReplayError('TURNTAPE_STEP_UNMET', {
      test,
      ...(lane === undefined ? {} : { lane }),
      ...(kind === undefined ? {} : { part: kind }),
      wanted,
      count,
      streams: this.#streamsSeen,
      open: this.openStreams,
    })
  }
}

function usage(problem: string, remedy: string): ReplayError {
  return new ReplayError('TURNTAPE_USAGE', { problem, remedy })
}
