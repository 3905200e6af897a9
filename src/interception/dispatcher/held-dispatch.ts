/**
 * Holds a live answer back on the dispatcher's road: paused as its caller would pause it, and going on only when both the
 * caller and who holds it agree. Bytes wait in the socket, as under back-pressure.
 */
import type { DispatchController } from './dispatch-protocol.ts'

/** What is held and what the caller paused, told apart. */
export class Valve {
  readonly #resume: () => void
  #callerPaused = false
  #held = false

  constructor(resume: () => void) {
    this.#resume = resume
  }

  get callerPaused(): boolean {
    return this.#callerPaused
  }

  get isOpen(): boolean {
    return !this.#callerPaused && !this.#held
  }

  pausedByCaller(): void {
    this.#callerPaused = true
  }

  resumedByCaller(): void {
    this.#callerPaused = false
    if (!this.#held) this.#resume()
  }

  /** Closed until `ready` settles. */
  hold(ready: Promise<void>): void {
    this.#held = true
    void ready.then(() => {
      this.#held = false
      if (!this.#callerPaused) this.#resume()
    })
  }
}

/** The dispatcher's controller as the caller's handler sees it: pausing and resuming are his alone. */
export class HeldController implements DispatchController {
  readonly #controller: DispatchController
  readonly #valve: Valve

  constructor(controller: DispatchController) {
    this.#controller = controller
    this.#valve = new Valve(() => controller.resume())
  }

  get aborted(): boolean {
    return this.#controller.aborted
  }

  get reason(): unknown {
    return this.#controller.reason
  }

  get paused(): boolean {
    return this.#valve.callerPaused
  }

  get rawHeaders(): readonly Uint8Array[] {
    return this.#controller.rawHeaders
  }

  get rawTrailers(): readonly Uint8Array[] {
    return this.#controller.rawTrailers
  }

  pause(): void {
    this.#valve.pausedByCaller()
    this.#controller.pause()
  }

  resume(): void {
    this.#valve.resumedByCaller()
  }

  abort(reason?: unknown): void {
    this.#controller.abort(reason)
  }

  hold(ready: Promise<void> | undefined): void {
    if (ready === undefined) return
    this.#valve.hold(ready)
    this.#controller.pause()
  }
}
