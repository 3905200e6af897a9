import { isCI } from 'std-env'

/** The CI library's verdict, the same that Vitest goes by. */
export function runsInCI(): boolean {
  return isCI
}
