// @ts-check
/**
 * Holds what single operations take, in counts that are the same on a busy machine and so show a regression that times hide: how often
 * functions and blocks of ours are entered and calls of the file system, on every Node; bytes allocated, as Node 20 does, which
 * allocates most. Over a budget is exit 1. A budget is raised by editing it here, in a commit that says why.
 */
import { countedOperations, countsOf } from '../bench/counts.mjs'
import { buildHarness } from '../bench/package-build.mjs'

/** @type {Record<keyof typeof countedOperations, import('../bench/measure/counts.mjs').Counts>} */
const budgets = {
  json: { allocatedBytes: 50_000, entered: 215, fileCalls: 0 },
  'stream-200': { allocatedBytes: 1_050_000, entered: 2_830, fileCalls: 0 },
  'identity-hit': { allocatedBytes: 675_000, entered: 1_430, fileCalls: 0 },
  'identity-miss': { allocatedBytes: 805_000, entered: 1_090, fileCalls: 0 },
  loop: { allocatedBytes: 450_000, entered: 415, fileCalls: 0 },
  opening: { allocatedBytes: 56_000, entered: 680, fileCalls: 5 },
}

buildHarness()
for (const scenario of /** @type {(keyof typeof budgets)[]} */ (Object.keys(budgets))) {
  const [found, budget] = [await countsOf(scenario), budgets[scenario]]
  for (const kind of /** @type {(keyof typeof budget)[]} */ (Object.keys(budget))) {
    const line = `${countedOperations[scenario]}: ${kind} ${found[kind].toLocaleString('en')} of ${budget[kind].toLocaleString('en')}`
    console.log(line)
    if (found[kind] > budget[kind]) {
      console.log(`over budget: ${line}`)
      process.exitCode = 1
    }
  }
}
