/** SHA-256, the one hash of the format. */
import { hash } from 'node:crypto'

/** 64 lower-case hex digits; a string is hashed as UTF-8. */
export function sha256(data: string | Uint8Array): string {
  return hash('sha256', data, 'hex')
}
