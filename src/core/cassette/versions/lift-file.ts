/** From a file of an older version to one of the newest (F18), in memory, a version at a time: no step is ever skipped or joined. */
import { problem, type ShapeProblem } from '../shape.ts'
import { type FormatVersion, type FormatVersions, laterThan } from './format-version.ts'

export type LiftedFile = { readonly file: unknown } | { readonly problem: ShapeProblem }

/** `file` has the shape of `version`. What comes out has the shape of the newest; its rules are not checked yet. */
export function liftFile(file: unknown, version: FormatVersion, versions: FormatVersions): LiftedFile {
  let [lifted, before] = [file, version]
  for (const next of laterThan(version, versions)) {
    const broken = before.rules(lifted)
    if (broken !== undefined) return { problem: broken }
    if (before.lift === undefined) return { problem: problem(`nothing lifts ${before.format} to ${next.format}`) }
    lifted = before.lift(lifted)
    const misshapen = next.shape(lifted)
    if (misshapen !== undefined) {
      const { reason, reversedPath } = misshapen
      return { problem: { reversedPath, reason: `lifted from ${version.format}: ${reason}` } }
    }
    before = next
  }
  return { file: lifted }
}
