import { elideMiddle } from '../../errors/elide.ts'
import { writeAtomically } from '../../store/atomic-file.ts'
import { faultReason } from '../../store/file-fault.ts'
import type { RunReport } from './run-report.ts'

/** Writes the report whole or not at all. Gives back a sentence where that could not be done. */
export function writeReport(report: RunReport, file: string): string | undefined {
  try {
    writeAtomically({ file, content: `${JSON.stringify(report, undefined, 2)}\n`, mode: 0o644, as: 'replace' })
    return undefined
  } catch (error) {
    return `The report could not be written to ${elideMiddle(file, 200)}: ${faultReason(error)}`
  }
}
