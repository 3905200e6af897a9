import { isCI, provider } from 'std-env'

/** The CI library's verdict, the same that Vitest goes by. */
export function runsInCI(): boolean {
  return isCI
}

/** Where lines of a form of their own are shown beside the code. */
export function runsInGitHubActions(): boolean {
  return provider === 'github_actions'
}
