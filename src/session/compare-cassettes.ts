import type { Caps } from '../core/cassette/caps.ts'
import { type CompareOptions, compareRuns, type RunToCompare } from '../trajectory/compare-runs.ts'
import type { Comparison } from '../trajectory/comparison.ts'
import { type OpenedCassette, openCassette } from './open-cassette.ts'
import type { Tape } from './tape.ts'

/** A cassette by its path (absolute or relative to the working directory) or opened; or a tape: its run so far. */
export type ComparableRun = string | OpenedCassette | Pick<Tape, 'cassettePath' | 'interactions' | 'turns'>

/**
 * The first place where two runs differ: turn by turn, lane by lane, what was asked before what was answered. Time, cuts,
 * ids and signatures do not count. `printComparison` puts it into words.
 * Errors: as `openCassette`.
 */
export function compareCassettes(
  left: ComparableRun,
  right: ComparableRun,
  options: CompareOptions & { readonly caps?: Partial<Caps> } = {},
): Comparison {
  const { caps, ...compared } = options
  const open = (run: ComparableRun): RunToCompare =>
    runOf(typeof run === 'string' ? openCassette(run, caps === undefined ? {} : { caps }) : run)
  return compareRuns(open(left), open(right), compared)
}

function runOf(run: Exclude<ComparableRun, string>): RunToCompare {
  if ('cassette' in run) {
    const { path, cassette, turns, sideFiles } = run
    return { name: path, interactions: cassette.interactions, turns, sideFiles }
  }
  return { name: `${run.cassettePath} (this run)`, interactions: run.interactions, turns: run.turns }
}
