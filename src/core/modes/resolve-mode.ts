import { ReplayError } from '../../errors/replay-error.ts'
import { isRecordMode, type RecordMode, recordModes } from './record-mode.ts'

/** What a run says about recording, each as its source gives it. */
export interface ModeInputs {
  /** The CI library's verdict. */
  readonly ci: boolean
  /** The runner's snapshot flag: `all` is `-u`, `none` is CI, `--ci` or `--update=none`. */
  readonly runnerUpdate: 'all' | 'new' | 'none'
  /** `TURNTAPE_MODE` as it stands; empty counts as unset. */
  readonly environment: string | undefined
  /** The option `mode`, the nearest one. */
  readonly option: unknown
}

export interface ResolvedMode {
  readonly mode: RecordMode
  /** Where it came from, for messages. */
  readonly source: 'TURNTAPE_MODE' | 'ci' | 'runner update' | 'option' | 'default'
  /** True: `-u` was given where nothing may be recorded; it touched snapshots only. */
  readonly updateIgnored: boolean
  readonly ci: boolean
}

/**
 * Precedence: 1. where the CI library or the runner says CI, nothing is recorded unless `TURNTAPE_MODE` itself says so;
 * 2. `TURNTAPE_MODE`; 3. the runner's `-u`; 4. the option; 5. `auto`.
 * Errors: TURNTAPE_INVALID_MODE for an unknown value of the variable or the option, also where another source wins.
 */
export function resolveMode(inputs: ModeInputs): ResolvedMode {
  const environment = inputs.environment ? validMode(inputs.environment, 'TURNTAPE_MODE') : undefined
  const option = inputs.option === undefined ? undefined : validMode(inputs.option, 'option')
  const ci = inputs.ci || inputs.runnerUpdate === 'none'
  const updateIgnored = ci && inputs.runnerUpdate === 'all' && environment === undefined
  if (environment !== undefined) return { mode: environment, source: 'TURNTAPE_MODE', updateIgnored: false, ci }
  if (ci) {
    // An option can only make a CI run stricter or plain live; it never lets it record.
    const mode = option === 'live' ? 'live' : 'replay'
    return { mode, source: 'ci', updateIgnored, ci }
  }
  if (inputs.runnerUpdate === 'all') return { mode: 'update', source: 'runner update', updateIgnored, ci }
  if (option !== undefined) return { mode: option, source: 'option', updateIgnored, ci }
  return { mode: 'auto', source: 'default', updateIgnored, ci }
}

function validMode(given: unknown, source: 'TURNTAPE_MODE' | 'option'): RecordMode {
  if (isRecordMode(given)) return given
  throw new ReplayError('TURNTAPE_INVALID_MODE', { given: String(given), source, valid: recordModes })
}
