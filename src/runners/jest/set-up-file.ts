import { endCollecting } from '../../session/open-file.ts'
import { expectMatchers } from '../../trajectory/expect-matchers.ts'
import { circusState } from './circus.ts'
import { JestFile } from './jest-file.ts'
import type { JestRealm } from './jest-realm.ts'
import { type AttemptsOfFile, prepareTests } from './prepare-tests.ts'
import { leaveLine } from './run-folder.ts'

/** The closing hook waits for calls that are still under way, whatever limit the project sets for its own hooks. */
const closingTimeoutMs = 60_000

const files = new WeakMap<object, JestFile>()

/**
 * The test file of this realm, set up at the first call: later ones come from copies of the entry (module resets,
 * CommonJS beside ESM). Errors: TURNTAPE_USAGE outside of a test file.
 */
export function setUpFile(realm: JestRealm): JestFile {
  const known = files.get(realm.global)
  if (known !== undefined) return known
  circusState(realm.global)
  const file = new JestFile(realm)
  files.set(realm.global, file)
  realm.expect.extend(expectMatchers)
  let attempts: AttemptsOfFile | undefined
  const closing = async (): Promise<void> => attempts?.finishCurrent()
  realm.afterEach(closing, closingTimeoutMs)
  realm.beforeAll(() => {
    endCollecting(file.current)
    attempts ??= prepareTests(file, closing)
  })
  realm.afterAll(() => {
    const { strays } = file.current
    if (strays.length > 0) leaveLine({ ...file.run, strays })
  })
  return file
}
