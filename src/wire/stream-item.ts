/** One event as its stream frames it: the payload's text, not yet read. `name` is the SSE event name. */
export interface StreamItem {
  readonly name?: string
  readonly text: string
}
