/** One test file under Jest: its settings, and which of its tests are covered. */
import { createRequire } from 'node:module'
import { jestUpdateCommand } from '../../errors/commands.ts'
import { machineHost } from '../../session/machine-host.ts'
import { openFile } from '../../session/open-file.ts'
import type { SessionHost } from '../../session/session-host.ts'
import type { TapeOptions } from '../../session/tape-options.ts'
import type { CurrentFile } from '../../session/worker-state.ts'
import { type CircusState, type CircusTest, circusState, type DescribeBlock } from './circus.ts'
import type { JestRealm } from './jest-realm.ts'
import { jestSettings } from './jest-settings.ts'

export class JestFile {
  readonly realm: JestRealm
  /** Absolute. */
  readonly path: string
  readonly current: CurrentFile
  /** True: every test is covered, with no line in the file changed. */
  readonly covered: boolean
  /** Options that `useReplay()` gave to a describe or the file, and `replay()` to a test. */
  readonly #layers = new WeakMap<DescribeBlock | CircusTest, TapeOptions[]>()
  readonly #hosts = new Map<string, SessionHost>()

  constructor(realm: JestRealm) {
    this.realm = realm
    this.path = realm.expect.getState().testPath ?? ''
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
      runner: () => jestVersion(this.path),
      updateCommand: jestUpdateCommand,
    })
    this.#hosts.set(root, host)
    return host
  }
}

function jestVersion(path: string): Readonly<Record<string, string>> {
  try {
    const found: unknown = createRequire(path)('jest/package.json')
    const version: unknown = typeof found === 'object' && found !== null ? Reflect.get(found, 'version') : undefined
    return typeof version === 'string' ? { jest: version } : {}
  } catch {
    return {} // installed as parts, not as the package `jest`
  }
}
