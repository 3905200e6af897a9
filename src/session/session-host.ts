import type { TestReference } from '../errors/commands.ts'
import type { ScanFacts } from '../redaction/scan-facts.ts'
import type { CassetteStore } from '../store/cassette-store.ts'

/** What a session needs of the outside: files, clocks, the machine's names. One per package root. */
export interface SessionHost {
  readonly store: CassetteStore
  /** Milliseconds, monotonic; never a faked clock. */
  readonly now: () => number
  /** The wall clock; never a faked one. */
  readonly date: () => Date
  /** What must never stand in a cassette. Collected when a cassette is about to be written. */
  readonly scanFacts: () => ScanFacts
  readonly project: string
  readonly home: string
  readonly temporary: readonly string[]
  /** True when this very process listens on the port. */
  readonly isOwnPort: (port: number) => boolean
  /** Versions of turntape, the runtime and the runner, by name. */
  readonly versions: Readonly<Record<string, string>>
  /** The version of a package that the tests could import; undefined: not installed. */
  readonly versionOf: (packageName: string) => string | undefined
  /** The command that runs one test with the runner's `-u`. */
  readonly updateCommand: (test: TestReference) => string
  /** A line of a test file that fakes the date and leaves the timers real. */
  readonly realTimers: string
}
