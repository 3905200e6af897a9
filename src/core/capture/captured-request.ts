/** A request on its way out, whatever the road: what interception hands up and everything else works on. */
export interface CapturedRequest {
  readonly method: string
  /** Absolute, as the caller wrote it (credentials and fragment removed). */
  readonly url: string
  /** Lower-case names in the order sent; a name may repeat. Holds credentials: never stored or printed as it is. */
  readonly headers: readonly (readonly [name: string, value: string])[]
  /** Undefined: no body. */
  readonly body: Uint8Array | undefined
  readonly road: Road
}

export type Road = 'fetch' | 'dispatcher' | 'http' | 'http2'
