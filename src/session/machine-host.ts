import { readFileSync, realpathSync } from 'node:fs'
import { createRequire } from 'node:module'
import { homedir, hostname, tmpdir, userInfo } from 'node:os'
import { join } from 'node:path'
import { performance } from 'node:perf_hooks'
import type { TestReference } from '../errors/commands.ts'
import { isOwnPort } from '../interception/sockets/own-servers.ts'
import { collectScanFacts } from '../redaction/scan-facts.ts'
import { createStore } from '../store/cassette-store.ts'
import type { SessionHost } from './session-host.ts'
import { toolVersion } from './tool-version.ts'

// Bound when this module loads, before a test can put a fake clock in their place.
const now = performance.now.bind(performance)
const RealDate = Date

/** What of a host is the runner's. */
export interface RunnerFacts {
  /** Absolute path of the package root. */
  readonly root: string
  /** The environment that the tests see. */
  readonly environment: Readonly<Record<string, string | undefined>>
  /** The runner and its version, by name; empty where it is not known. */
  readonly runner: () => Readonly<Record<string, string>>
  /** The command that runs one test with the runner's `-u`. */
  readonly updateCommand: (test: TestReference) => string
  /** A line of a test file that fakes the date and leaves the timers real. */
  readonly realTimers: string
}

/** What sessions of this package root need of the outside. */
export function machineHost({ root, environment, runner, updateCommand, realTimers }: RunnerFacts): SessionHost {
  return {
    store: createStore({ root }),
    now,
    date: () => new RealDate(),
    scanFacts: () =>
      collectScanFacts({
        env: environment,
        userName: orUndefined(() => userInfo().username),
        hostName: hostname(),
      }),
    project: root,
    home: homedir(),
    temporary: temporaryFolders(),
    isOwnPort,
    get versions() {
      return { turntape: toolVersion, node: process.versions.node, ...runner() }
    },
    versionOf: installedVersions(root),
    updateCommand,
    realTimers,
  }
}

function installedVersions(root: string): SessionHost['versionOf'] {
  const require = createRequire(join(root, 'package.json'))
  const known = new Map<string, string | undefined>()
  return (name) => {
    // Not every package lets its package.json be asked for: then it counts as not installed.
    if (!known.has(name))
      known.set(
        name,
        orUndefined(() => readVersion(require.resolve(`${name}/package.json`))),
      )
    return known.get(name)
  }
}

function readVersion(file: string): string | undefined {
  const { version } = JSON.parse(readFileSync(file, 'utf8')) as { readonly version?: unknown }
  return typeof version === 'string' ? version : undefined
}

function temporaryFolders(): readonly string[] {
  const folder = tmpdir()
  return [...new Set([folder, orUndefined(() => realpathSync(folder)) ?? folder])]
}

// The system may know no user (containers with odd ids) and no temporary folder: then there is nothing to look for.
function orUndefined<T>(read: () => T): T | undefined {
  try {
    return read()
  } catch {
    return undefined
  }
}
