/**
 * What the entries load outside of the test file's realm, once per worker: its modules are neither mocked nor reset with
 * the test's, and the roads do not die with the file's global object.
 */
import { recordTools } from '../../session/tools/record-tools.ts'
import type { JestRealm } from './jest-realm.ts'
import { replayWith } from './replay.ts'
import type { JestEntry } from './replay-test.ts'
import { setUpFile } from './set-up-file.ts'
import { useReplayIn } from './use-replay.ts'

/** The entry of one test file. Sets the file up where that has not been done. */
export function enterFile(realm: JestRealm): JestEntry {
  const file = setUpFile(realm)
  const replay = replayWith(file)
  return { test: replay(file.realm.test), replay, useReplay: useReplayIn(file), recordTools }
}
