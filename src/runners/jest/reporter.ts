/** The entry `turntape/jest/reporter`. */
import process from 'node:process'
import { type ReportOptions, reportOptionsOf, saysLines } from '../../session/run/report-options.ts'
import type { JestResults } from './collect-facts.ts'
import type { GlobalConfig } from './extent-of-run.ts'
import { closeRunFolder, openRunFolder } from './run-folder.ts'
import { afterWatchedRun, type WatchConfig, type WatchedProject, type WatchedRun } from './watch-mode.ts'

export type { ReportOptions } from '../../session/run/report-options.ts'

/**
 * Prints what became of the cassettes, in the column of Jest's own summary, once a run; nothing when nothing happened.
 * Options: `['turntape/jest/reporter', { obsolete: 'warn', reportFile: 'turntape.json' }]`. Errors: TURNTAPE_INVALID_OPTION.
 */
export default class CassetteReporter {
  readonly #config: GlobalConfig & WatchConfig
  readonly #options: ReportOptions
  readonly #folder: string
  #isRed = false

  constructor(config: GlobalConfig & WatchConfig, options: ReportOptions = {}) {
    this.#config = config
    this.#options = reportOptionsOf(options)
    this.#folder = openRunFolder({ places: saysLines(this.#options) })
  }

  async onRunComplete(projects: Iterable<WatchedProject>, results: JestResults & WatchedRun['results']): Promise<void> {
    const lines = closeRunFolder(this.#folder)
    const config = this.#config
    // Loaded at the end: the tests do not wait for it.
    const [{ collectFacts }, { finishRun }] = await Promise.all([
      import('./collect-facts.ts'),
      import('../../session/run/finish-run.ts'),
    ])
    const { lines: printed, red } = finishRun({
      facts: collectFacts({ config, results, lines }),
      options: this.#options,
      update: config.updateSnapshot,
      style: 'jest',
      runnerShowsFailures: config.reporters?.some((one) => [one].flat()[0] === 'github-actions') ?? false,
    })
    this.#isRed = red
    const warning = afterWatchedRun({ config, projects, results, lines })
    const all = warning === undefined ? printed : [...printed, warning]
    // stderr, where Jest prints its own: stdout may be owned by --json.
    if (all.length > 0) process.stderr.write(`${all.join('\n')}\n`)
  }

  /** Asked by Jest after the run: an error makes it fail. */
  getLastError(): Error | undefined {
    return this.#isRed ? redRun : undefined
  }
}

/** Never printed. */
const redRun = Object.assign(new Error(), { name: 'CassetteReport' })
