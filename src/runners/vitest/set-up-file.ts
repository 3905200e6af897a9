/**
 * What happens once per test file, before its modules load: roads are intercepted, credentials filled, every attempt
 * of every test put into its own async context.
 */
import { endCollecting, openFile } from '../../session/open-file.ts'
import { type ImportModule, type ProvidedSettings, projectSettings } from '../../session/project-settings.ts'
import { workerState } from '../../session/worker-state.ts'
import { aroundEachAttempt } from './around-each-attempt.ts'
import { attemptOf } from './attempt.ts'
import { aroundFile } from './file-hooks.ts'
import { setRunnerVersion } from './host.ts'
import { currentTestPath, runnerUpdate } from './runner-facts.ts'
import { vitest } from './vitest-module.ts'

declare module 'vitest' {
  interface ProvidedContext {
    turntape?: ProvidedSettings & { readonly vitestVersion: string }
  }
}

/**
 * Sets up the file that runs in this worker now; does nothing when that has been done, or outside of a worker.
 * `importModule` is the caller's own `import()`: in the set-up file, which is inlined, it is Vite's and reads TypeScript.
 */
export async function setUpFile(importModule: ImportModule): Promise<void> {
  const path = currentTestPath()
  if (path === undefined || workerState().file?.path === path) return
  const provided = vitest.inject('turntape')
  const { options, covers } = await projectSettings(provided, importModule)
  setRunnerVersion(provided?.vitestVersion)
  const file = openFile({ path, options, covered: covers(path), update: runnerUpdate(), global: globalThis })
  aroundEachAttempt(async (run, { task, onTestFinished }) => {
    file.interception.ensure()
    const attempt = attemptOf(task)
    if (covers(path)) {
      attempt.slot.cover('project', {})
      attempt.open()
    }
    // Registered first, so that it runs after the test's own: their calls are still judged.
    onTestFinished(() => attempt.raise())
    await attempt.run(run)
  })
  aroundFile({
    collected: () => endCollecting(file),
    finished: ({ meta }) => {
      if (file.strays.length > 0) meta.turntapeStrays = file.strays
    },
  })
}
