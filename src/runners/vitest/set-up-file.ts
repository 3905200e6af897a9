/**
 * What happens once per test file, before its modules load: roads are intercepted, credentials filled, every attempt
 * of every test put into its own async context.
 */
import { dirname } from 'node:path'
import { afterAll, beforeAll, inject } from 'vitest'
import { resolveMode } from '../../core/modes/resolve-mode.ts'
import { installInterception } from '../../interception/install-interception.ts'
import { isOwnPort } from '../../interception/own-servers.ts'
import { CallRouter } from '../../session/call-router.ts'
import { runsInCI } from '../../session/ci.ts'
import { fillCredentials } from '../../session/credentials.ts'
import type { TapeOptions } from '../../session/tape-options.ts'
import { type CurrentFile, workerState } from '../../session/worker-state.ts'
import { posixRelative } from '../../store/package-root.ts'
import { aroundEachAttempt } from './around-each-attempt.ts'
import { attemptOf } from './attempt.ts'
import { setRunnerVersion } from './host.ts'
import { type ImportModule, projectSettings } from './project-settings.ts'
import { currentTestPath, runnerUpdate } from './runner-facts.ts'
import { packageRoot } from './task-identity.ts'

/**
 * Sets up the file that runs in this worker now; does nothing when that has been done, or outside of a worker.
 * `importModule` is the caller's own `import()`: in the set-up file, which is inlined, it is Vite's and reads TypeScript.
 */
export async function setUpFile(importModule: ImportModule): Promise<void> {
  const path = currentTestPath()
  const state = workerState()
  if (path === undefined || state.file?.path === path) return
  const settings = await projectSettings(inject('turntape'), importModule)
  setRunnerVersion(settings.vitestVersion)
  const covered = settings.covers(path)
  const late: string[] = []
  const name = posixRelative(packageRoot(dirname(path)), path)
  const { options } = settings
  const file: CurrentFile = { path, name, collecting: true, covered, options, mode: modeOf(options), late }
  state.file = file
  fillCredentials(process.env)
  const interception = installInterception(new CallRouter({ isOwnPort }))
  coverAttempts({ covered, beforeAttempt: () => interception.ensure() })
  beforeAll(() => {
    file.collecting = false
  })
  // biome-ignore lint/correctness/noEmptyPattern: Vitest reads the source and insists on a pattern here
  afterAll(({}, suite) => {
    if (late.length > 0) suite.meta.turntapeLate = late
  })
}

interface Coverage {
  readonly covered: boolean
  readonly beforeAttempt: () => void
}

function coverAttempts({ covered, beforeAttempt }: Coverage): void {
  aroundEachAttempt(async (run, { task, onTestFinished }) => {
    beforeAttempt()
    const attempt = attemptOf(task)
    if (covered) {
      attempt.slot.cover('project', {})
      attempt.open()
    }
    // Registered first, so that it runs after the test's own: their calls are still judged.
    onTestFinished(() => attempt.raise())
    await attempt.run(run)
  })
}

function modeOf(options: TapeOptions): ReturnType<typeof resolveMode>['mode'] {
  const environment = process.env.TURNTAPE_MODE
  return resolveMode({ ci: runsInCI(), runnerUpdate: runnerUpdate(), environment, option: options.mode }).mode
}
