// Whole runs of Vitest and Jest.
import { figureOf, isWithin, peerFigures } from '../bench.mjs'
import { makeProject } from '../suites.mjs'

/** @typedef {import('../suites.mjs').RunnerName} RunnerName @typedef {import('../suites.mjs').Variant} Variant @typedef {import('../suites.mjs').Ran} Ran */

/** @type {readonly import('../rows.mjs').Row[]} */
export const suiteRows = [
  { id: 'per-test', figures: ['per-test', 'set-up'], alone: false, measure: measurePerTest },
  {
    id: 'thousand-vitest',
    figures: ['thousand-vitest'],
    alone: false,
    measure: (bench) => measureThousand(bench, 'vitest'),
  },
  { id: 'thousand-jest', figures: ['thousand-jest'], alone: false, measure: (bench) => measureThousand(bench, 'jest') },
]

const leastTest =
  'the bare test, that reads and parses its cassette, looks once at each value and answers with the one recorded'

/** @param {import('../bench.mjs').Bench} bench @returns {Promise<import('../run.mjs').Figure[]>} */
async function measurePerTest(bench) {
  const names = bench.peers(['nock', 'msw'])
  const runs = await runInTurn({
    bench,
    variants: { own: ['tape', 'least'], peers: names },
    suite: { runner: 'vitest', files: 1, testsOfFile: 500 },
    seconds: 30,
    figureIn: (ran, bare) => ran.testMs - bare.testMs,
  })
  const ours = figureOf(runs, 'tape')
  const profile = bench.oursOnly ? undefined : await profileOfTest()
  const setUps = await runInTurn({
    bench,
    variants: { own: ['tape'], peers: [] },
    suite: { runner: 'vitest', files: 20, testsOfFile: 1 },
    seconds: 10,
    figureIn: (ran, bare) => (ran.setUpMs ?? 0) - (bare.setUpMs ?? 0),
  })
  return [
    {
      id: 'per-test',
      group: 'A test in Vitest, above a bare test with a hand-written mock',
      what: 'each of 500 tests, each with a cassette',
      unit: 'ms',
      goal: '≤ 0.3 ms',
      ours,
      met: isWithin(ours, 0.3),
      peers: peerFigures(runs, names),
      least: { what: leastTest, spread: figureOf(runs, 'least') },
      ...(profile && { profile }),
    },
    {
      id: 'set-up',
      group: 'A test in Vitest, above a bare test with a hand-written mock',
      what: 'set-up of a test file, as Vitest counts it; two workers load side by side',
      unit: 'ms',
      ours: figureOf(setUps, 'tape'),
      peers: [],
    },
  ]
}

async function profileOfTest() {
  const suite = { runner: /** @type {const} */ ('vitest'), files: 1, testsOfFile: 500 }
  const project = await makeProject({ ...suite, variant: 'tape', node: process.execPath })
  try {
    return await project.profile()
  } finally {
    project.remove()
  }
}

/** @param {import('../bench.mjs').Bench} bench @param {RunnerName} runner @returns {Promise<import('../run.mjs').Figure[]>} */
async function measureThousand(bench, runner) {
  const names = bench.peers(runner === 'vitest' ? ['nock', 'msw'] : [])
  const runs = await runInTurn({
    bench,
    variants: { own: ['tape', 'least'], peers: names },
    suite: { runner, files: 10, testsOfFile: 100 },
    seconds: 40,
    figureIn: (ran, bare) => ran.wallMs / bare.wallMs,
  })
  const ours = figureOf(runs, 'tape')
  return [
    {
      id: `thousand-${runner}`,
      group: '1,000 tests, 1,000 cassettes, 10 files, 2 workers: the whole run',
      what: runner === 'vitest' ? 'Vitest' : 'Jest',
      unit: '×',
      goal: '≤ 1.15 × the same tests with in-memory mocks',
      ours,
      met: isWithin(ours, 1.15),
      peers: peerFigures(runs, names),
      least: { what: `no package loaded, no report: ${leastTest}`, spread: figureOf(runs, 'least') },
    },
  ]
}

/** Each run of a variant stands beside a run of the bare tests. @param {{ bench: import('../bench.mjs').Bench, variants: { own: readonly string[], peers: readonly string[] }, suite: { runner: RunnerName, files: number, testsOfFile: number }, seconds: number, figureIn: (ran: Ran, bare: Ran) => number }} what */
async function runInTurn({ bench, variants, suite, seconds, figureIn }) {
  const make = (/** @type {string} */ variant) =>
    makeProject({ ...suite, variant: /** @type {Variant} */ (variant), node: process.execPath })
  const bare = await make('mock')
  const projects = new Map(
    await Promise.all(
      [...variants.own, ...variants.peers].map(
        async (variant) => /** @type {const} */ ([variant, await make(variant)]),
      ),
    ),
  )
  await bare.run() // fills the runner's caches
  for (const project of projects.values()) await project.run()
  const measure = async (/** @type {string} */ variant, /** @type {number} */ round) => {
    const project = projects.get(variant)
    const inOrder = round % 2 === 0 ? [bare, project] : [project, bare]
    const ran = []
    for (const each of inOrder) ran.push(await each?.run())
    return round % 2 === 0 ? { bare: ran[0], ran: ran[1] } : { bare: ran[1], ran: ran[0] }
  }
  try {
    return await bench.inRounds({
      ...variants,
      seconds,
      measure,
      figureIn: ({ ran, bare }) => figureIn(ran, bare),
    })
  } finally {
    for (const project of [bare, ...projects.values()]) project.remove()
  }
}
