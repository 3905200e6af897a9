// The table: what is measured, against what, and what is wanted. One module a kind of row.
import { countsRow } from './rows/counts.mjs'
import { identityRows } from './rows/identity.mjs'
import { importRows } from './rows/import.mjs'
import { installedRow } from './rows/installed.mjs'
import { loopRow } from './rows/loop.mjs'
import { openingRows } from './rows/opening.mjs'
import { recordingRow } from './rows/recording.mjs'
import { replayRows } from './rows/replay.mjs'
import { sizesRow } from './rows/sizes.mjs'
import { suiteRows } from './rows/suites.mjs'

/**
 * @typedef {{ id: string, figures: readonly string[], alone: boolean, measure(bench: import('./bench.mjs').Bench): Promise<import('./run.mjs').Figure[]> }} Row
 *   `figures`: the ids of what it gives, in order; `alone`: also measured without peers on the other Node
 */

/** @type {readonly Row[]} */
export const rows = [
  ...replayRows,
  recordingRow,
  ...identityRows,
  loopRow,
  ...openingRows,
  sizesRow,
  countsRow,
  ...importRows,
  ...suiteRows,
  installedRow,
]
