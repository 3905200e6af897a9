import type { SerializedError } from 'vitest'
import type { Reporter, TestModule, TestRunEndReason, Vitest } from 'vitest/node'
import type { ReportOptions } from '../../session/run/report-options.ts'
import { collectFacts } from './collect-facts.ts'
import { hasReporter } from './has-reporter.ts'

/** Prints what became of the cassettes, in Vitest's own column, once a run; nothing when nothing happened. */
export class CassetteReporter implements Reporter {
  readonly #options: ReportOptions
  #vitest: Vitest | undefined

  constructor(options: ReportOptions) {
    this.#options = options
  }

  onInit(vitest: Vitest): void {
    this.#vitest = vitest
  }

  async onTestRunEnd(
    modules: readonly TestModule[],
    errors: readonly SerializedError[],
    reason: TestRunEndReason,
  ): Promise<void> {
    const vitest = this.#vitest
    if (vitest === undefined) return
    // Loaded at the end: a configuration file that imports the plugin does not wait for it.
    const { finishRun } = await import('../../session/run/finish-run.ts')
    const run = { vitest, modules, hasErrors: errors.length > 0, isInterrupted: reason === 'interrupted' }
    const { lines, red } = finishRun({
      facts: await collectFacts(run),
      options: this.#options,
      update: vitest.snapshot.options.updateSnapshot,
      style: 'vitest',
      runnerShowsFailures: hasReporter(vitest, 'github-actions'),
    })
    // stderr: a json or junit reporter may own stdout.
    if (lines.length > 0) vitest.logger.error(lines.join('\n'))
    if (red) process.exitCode = 1
  }
}
