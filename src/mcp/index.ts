/** The entry `turntape/mcp`. */
export { type RecordTransportOptions, recordTransport } from './record-transport.ts'
export type { McpTransport, RecordedTransport } from './transport.ts'
