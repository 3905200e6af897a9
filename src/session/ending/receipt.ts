/** What `turntape record` learns of the tests that its runner ran: a line an attempt, in a folder named in the environment. */
import { appendLine, readLines } from '../../store/line-folder.ts'
import type { SessionOutcome } from '../session-report.ts'

/** Not for users. */
export const receiptVariable = 'TURNTAPE_RECEIPTS'

export interface Receipt {
  readonly test: string
  readonly covered: boolean
  readonly outcome: SessionOutcome
}

/** Does nothing outside of `turntape record`. */
export function leaveReceipt(receipt: Receipt): void {
  const folder = process.env[receiptVariable]
  if (folder) appendLine(folder, receipt)
}

export function readReceipts(folder: string): readonly Receipt[] {
  return readLines(folder) as readonly Receipt[]
}
