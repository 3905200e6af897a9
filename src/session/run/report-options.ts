import { ReplayError } from '../../errors/replay-error.ts'
import { runsInGitHubActions } from '../ci.ts'

/** What a project says about its report. Of `replayPlugin()`, and of the reporter of Jest. */
export interface ReportOptions {
  /** `fail` (default): a cassette that belongs to no test makes a run in CI fail. `warn`: it is listed and no more. */
  readonly obsolete?: 'fail' | 'warn'
  /** Where the report is written as JSON, relative to the folder of the run. `TURNTAPE_REPORT` wins. Default: nowhere. */
  readonly reportFile?: string
}

const checks: Readonly<Record<keyof ReportOptions, readonly [expected: string, test: (value: unknown) => boolean]>> = {
  obsolete: ["'fail' or 'warn'", (value) => value === 'fail' || value === 'warn'],
  reportFile: ['a path', (value) => typeof value === 'string' && value !== ''],
}

/** What is given and not undefined. Errors: TURNTAPE_INVALID_OPTION for an unknown name or a value of the wrong kind. */
export function reportOptionsOf(given: object): ReportOptions {
  const present = Object.entries(given).filter(([, value]) => value !== undefined)
  for (const [option, value] of present) {
    const check = Object.hasOwn(checks, option) ? checks[option as keyof ReportOptions] : undefined
    const expected = check?.[0] ?? `one of ${Object.keys(checks).join(', ')}`
    const found = check === undefined ? 'an unknown name' : (JSON.stringify(value) ?? typeof value)
    if (!check?.[1](value)) throw new ReplayError('TURNTAPE_INVALID_OPTION', { option, given: found, expected })
  }
  return Object.fromEntries(present)
}

/** True where the report says the line of a test: to find it takes time of every test, so that it is not done elsewhere. */
export function saysLines({ reportFile }: ReportOptions): boolean {
  return reportFile !== undefined || Boolean(process.env.TURNTAPE_REPORT) || runsInGitHubActions()
}
