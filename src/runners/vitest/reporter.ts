import type { Reporter, TestModule, Vitest } from 'vitest/node'
import { summarise } from '../../session/summarise.ts'
import type { TaskReport } from './attempt.ts'

/** Prints what became of the cassettes, in Vitest's own column, once a run; nothing when nothing happened. */
export class CassetteReporter implements Reporter {
  #vitest: Vitest | undefined

  onInit(vitest: Vitest): void {
    this.#vitest = vitest
  }

  onTestRunEnd(modules: readonly TestModule[]): void {
    const reports: TaskReport[] = []
    const late: string[] = []
    for (const module of modules) {
      late.push(...(module.meta().turntapeLate ?? []))
      for (const test of module.children.allTests()) {
        const report = test.meta().turntape
        if (report !== undefined) reports.push(report)
      }
    }
    const lines = summarise({
      attempts: reports.map((report) => report.attempts),
      updateIgnored: reports.some((report) => report.updateIgnored),
      late,
    })
    // stderr: a json or junit reporter may own stdout.
    if (lines.length > 0) this.#vitest?.logger.error(lines.join('\n'))
  }
}
