/**
 * A client's transport, by form, so that no SDK is imported: v1 (`@modelcontextprotocol/sdk`), v2
 * (`@modelcontextprotocol/client`) and the AI SDK's clients take and make the same.
 */
export interface McpTransport {
  start(): Promise<void>
  send(message: never, options?: never): Promise<void>
  close(): Promise<void>
  onclose?: (() => void) | undefined
  onerror?: ((error: Error) => void) | undefined
  onmessage?: ((message: never, extra?: never) => void) | undefined
  sessionId?: string | undefined
  setProtocolVersion?: ((version: string) => void) | undefined
}

/** What a recorded transport has of the live one, so that a client takes it in its place. */
export type RecordedTransport<T extends McpTransport> = Pick<T, Extract<keyof T, keyof McpTransport>>

/** The same with messages that can be read and made. */
export interface LooseTransport extends Omit<McpTransport, 'send' | 'onmessage'> {
  send(message: object, options?: unknown): Promise<void>
  onmessage?: ((message: object, extra?: unknown) => void) | undefined
}
