import { randomBytes } from 'node:crypto'
import { errorCode } from './file-fault.ts'

/** Of a file that is being written: it says which process does, so that what a killed one left can be told. */
export function temporaryName(): string {
  return `.turntape-${process.pid}-${randomBytes(6).toString('hex')}.tmp`
}

/** A process of another user or container cannot be seen; and no write takes this long. */
const longestWriteMs = 60 * 60 * 1000

/** The process that wrote it is gone, or nothing has been written to it for an hour. */
export function isLeftBehind(name: string, ageMs: number): boolean {
  const found = /^\.turntape-(?:(\d+)-)?[0-9a-f]+\.tmp$/.exec(name)
  if (found === null) return false
  return ageMs > longestWriteMs || (found[1] !== undefined && isGone(Number(found[1])))
}

function isGone(processId: number): boolean {
  try {
    process.kill(processId, 0)
    return false
  } catch (error) {
    return errorCode(error) === 'ESRCH'
  }
}
