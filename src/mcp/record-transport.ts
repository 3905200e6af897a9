import { ReplayError } from '../errors/replay-error.ts'
import type { LooseTransport, McpTransport, RecordedTransport } from './transport.ts'
import { TransportRecorder } from './transport-recorder.ts'

export interface RecordTransportOptions {
  /** The server's name on the cassette: its tools are `<name>.<tool>`. Without blanks and dots. */
  readonly name: string
}

/**
 * The same transport, recorded message by message in every covered test. In replay it is never started, and where a function
 * makes it, not even made: no process, no connection. Outside of covered tests it is the live one. Records any transport of a
 * client: stdio, SSE, streamable HTTP. HTTP beneath is not recorded on its own.
 *
 * Errors: TURNTAPE_INVALID_OPTION for a name that cannot be. A message that leaves the recording rejects `send` with the
 * divergence, so that the client's call does. TURNTAPE_OUTSIDE_TEST for one in `beforeAll` of a covered file.
 *
 * @example
 * const files = () => new StdioClientTransport({ command: 'npx', args: ['-y', '@modelcontextprotocol/server-filesystem', '.'] })
 * await client.connect(recordTransport(files, { name: 'files' }))
 */
export function recordTransport<T extends McpTransport>(
  live: T | (() => T),
  { name }: RecordTransportOptions,
): RecordedTransport<T> {
  if (typeof name !== 'string' || !/^[^\s.]+$/.test(name)) {
    const expected = 'a name for the server without blanks and dots'
    throw new ReplayError('TURNTAPE_INVALID_OPTION', {
      option: 'name',
      given: JSON.stringify(name) ?? 'undefined',
      expected,
    })
  }
  const make = (typeof live === 'function' ? live : () => live) as unknown as () => LooseTransport
  return new TransportRecorder(name, make) as unknown as RecordedTransport<T>
}
