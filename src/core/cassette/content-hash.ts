import { hash } from 'node:crypto'

/** SHA-256 of stored content, 64 lower-case hex digits. Only ever given bytes that were redacted before (F13). */
export function contentHash(content: Uint8Array | string): string {
  return hash('sha256', content, 'hex')
}
