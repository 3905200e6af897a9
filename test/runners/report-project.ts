/** Projects for what both runners report, each with its runner, recorded against the loopback model. */
import type { Model } from '../life/model.ts'
import { files as behaviours } from './behaviours.ts'
import { createRunnerProject, type Outcome, type Runner, type RunnerProject } from './runner-project.ts'

/** Other versions by hand: `TURNTAPE_VITEST=5.1.2 TURNTAPE_JEST=29.7.0`. */
export const runners: Readonly<Record<'Vitest' | 'Jest', Runner>> = {
  Vitest: { name: 'vitest', version: process.env.TURNTAPE_VITEST ?? '4.1.12', form: ['--pool=forks'] },
  Jest: { name: 'jest', version: process.env.TURNTAPE_JEST ?? '30.5.2', form: 'cjs' },
}

export const runnerNames = ['Vitest', 'Jest'] as const

export interface ReportProject extends Pick<RunnerProject, 'project' | 'only' | 'node'> {
  run(args?: readonly string[], env?: Readonly<Record<string, string>>): Promise<Outcome>
}

export async function createReportProject(
  runner: keyof typeof runners,
  { model, files }: { readonly model: Model; readonly files: Readonly<Record<string, string>> },
): Promise<ReportProject> {
  await model.reset()
  const { version } = runners[runner]
  // Vitest 5 needs Node 22.
  const node = version.startsWith('5.') ? '22.23.3' : process.versions.node
  const created = await createRunnerProject(runners[runner], node)
  if ('missing' in created) throw new Error(created.missing)
  created.write({ 'client.js': behaviours['client.js'] ?? '', ...files })
  return {
    project: created.project,
    node: created.node,
    only: (file) => created.only(file),
    run: (args = [], env = {}) => created.run(args, { MODEL_URL: model.url, ...env }),
  }
}

/** Cassettes that the block calls obsolete, below `cassettes/test/` and without `.json`, sorted. */
export function obsoleteOf({ notes }: Outcome): readonly string[] {
  return notes.flatMap((note) => /^obsolete cassettes\/test\/(.*)\.json: /.exec(note)?.[1] ?? []).sort()
}
