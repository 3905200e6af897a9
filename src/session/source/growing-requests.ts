import { GrowingRequest } from '../../core/hashing/growing-request.ts'

const maxLanes = 16

/** Compares and hashes the requests of each lane, each against the one before it. */
export class GrowingRequests {
  readonly #ofLanes = new Map<string | undefined, GrowingRequest>()

  of(lane: string | undefined): GrowingRequest {
    const known = this.#ofLanes.get(lane)
    if (known !== undefined) return known
    // Each keeps the bytes of a request. A lane that is forgotten and comes again is compared whole, once.
    if (this.#ofLanes.size >= maxLanes) this.#ofLanes.clear()
    const fresh = new GrowingRequest()
    this.#ofLanes.set(lane, fresh)
    return fresh
  }
}
