/** Parts of the report in words: the same in the block and in annotations. */
import type { StrayReport, TestReport } from './run-report.ts'

/** One stray call in words. */
export function describeStray({ kind, file, call, test, refused, times }: StrayReport): string {
  const often = times > 1 ? ` (${times} times)` : ''
  const what =
    kind === 'outside'
      ? `A call was made outside of any test: ${file} [TURNTAPE_OUTSIDE_TEST]`
      : `A call started after its test had ended: "${test}" [TURNTAPE_LATE_CALL]`
  const end = refused ? 'refused' : 'not stored, replay will refuse it'
  return `${what}: ${call}, ${end}${often}`
}

/** What of a recording that is as it should be deserves a look all the same. */
export function worthALookOf({ nearCap, age }: Pick<TestReport, 'nearCap' | 'age'>): readonly string[] {
  return [
    ...(nearCap === undefined ? [] : [`near its cap ${nearCap}`]),
    ...(age === undefined ? [] : [`recorded ${age.days} days ago, over maxAge: ${age.maxDays}`]),
  ]
}
