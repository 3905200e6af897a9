/** A captured call that belongs to no running test. Plain data, sent to the reporter with its test file. */
export interface StrayCall {
  /** `outside`: at module scope or in a hook around all tests. `late`: started after its test had ended. */
  readonly kind: 'outside' | 'late'
  /** One line: method and URL, or kind and name. */
  readonly call: string
  /** Of a late one: the full name of its test. */
  readonly test?: string
  /** False: it went out live and is not stored. */
  readonly refused: boolean
}
