// Counts of single operations.
import { countedOperations, countsOf } from '../counts.mjs'
import { spread } from '../statistics.mjs'

const scenarios = /** @type {(keyof typeof countedOperations)[]} */ (Object.keys(countedOperations))

/** @type {import('../rows.mjs').Row} */
export const countsRow = {
  id: 'counts',
  figures: scenarios.map((scenario) => `counts-${scenario}`),
  alone: true,
  async measure() {
    /** @type {import('../run.mjs').Figure[]} */
    const figures = []
    for (const scenario of scenarios) {
      const { allocatedBytes, entered, fileCalls } = await countsOf(scenario)
      figures.push({
        id: `counts-${scenario}`,
        group: 'Allocated by one operation, nothing compiled',
        what: countedOperations[scenario],
        unit: 'bytes',
        note: `${entered.toLocaleString('en')} functions and blocks of ours entered; ${fileCalls} calls of the file system`,
        ours: spread([allocatedBytes]),
        peers: [],
      })
    }
    return figures
  },
}
