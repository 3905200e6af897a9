/** One test file under Jest: its settings, and which of its tests are covered. */
import { randomUUID } from 'node:crypto'
import { cassettePaths } from '../../core/cassette/cassette-path.ts'
import { jestRealTimers, jestUpdateCommand } from '../../errors/commands.ts'
import { machineHost } from '../../session/machine-host.ts'
import { once } from '../../session/once.ts'
import { openFile } from '../../session/open-file.ts'
import type { SessionHost } from '../../session/session-host.ts'
import type { TapeOptions } from '../../session/tape-options.ts'
import type { CurrentFile } from '../../session/worker-state.ts'
import { type CircusState, type CircusTest, circusState, type DescribeBlock, namesOf, testsOf } from './circus.ts'
import type { JestRealm } from './jest-realm.ts'
import { jestSettings } from './jest-settings.ts'
import { jestVersion } from './jest-version.ts'
import type { RunOfFile } from './run-folder.ts'

export class JestFile {
  readonly realm: JestRealm
  /** Absolute. */
  readonly path: string
  readonly current: CurrentFile
  /** Whose lines these are: one file may run in several projects, in one worker after the other. */
  readonly run: RunOfFile
  /** True: every test is covered, with no line in the file changed. */
  readonly covered: boolean
  /** The cassettes that the path rule gives to its tests; asked for when all are defined. */
  readonly cassettes = once(() => {
    const tests = testsOf(this.circus.rootDescribeBlock).map(namesOf)
    return cassettePaths({ testFile: this.current.name, tests })
  })
  /** Options that `useReplay()` gave to a describe or the file, and `replay()` to a test. */
  readonly #layers = new WeakMap<DescribeBlock | CircusTest, TapeOptions[]>()
  readonly #hosts = new Map<string, SessionHost>()

  constructor(realm: JestRealm) {
    this.realm = realm
    this.path = realm.expect.getState().testPath ?? ''
    this.run = { file: this.path, run: randomUUID() }
    const { options, covered } = jestSettings(realm, this.path)
    this.covered = covered
    this.current = openFile({ path: this.path, options, covered, update: this.update(), global: realm.global })
  }

  get circus(): CircusState {
    return circusState(this.realm.global)
  }

  /** Jest's gate for snapshots: `all` for `-u`, `none` for `--ci`. */
  update(): 'all' | 'new' | 'none' {
    const state = this.realm.expect.getState().snapshotState
    const update: unknown = typeof state === 'object' && state !== null ? Reflect.get(state, '_updateSnapshot') : 'new'
    return update === 'all' || update === 'none' ? update : 'new'
  }

  /** Covers a test, or every test of a describe. */
  cover(what: DescribeBlock | CircusTest, options: TapeOptions): void {
    this.current.covered = true
    const layers = this.#layers.get(what)
    if (layers === undefined) this.#layers.set(what, [options])
    else layers.push(options)
  }

  /** Farthest first; empty where nothing covered it. */
  layers(what: DescribeBlock | CircusTest): readonly TapeOptions[] {
    return this.#layers.get(what) ?? []
  }

  /** What sessions of this package root need of the outside. */
  host(root: string): SessionHost {
    const known = this.#hosts.get(root)
    if (known !== undefined) return known
    const host = machineHost({
      root,
      environment: this.realm.global.process.env,
      runner: () => {
        const jest = jestVersion(this.path)
        return jest === undefined ? {} : { jest }
      },
      updateCommand: jestUpdateCommand,
      realTimers: jestRealTimers,
    })
    this.#hosts.set(root, host)
    return host
  }
}
