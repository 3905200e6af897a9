import { dirname } from 'node:path'
import { nativeResponse } from '../core/cassette/native-response.ts'
import { resolveMode } from '../core/modes/resolve-mode.ts'
import { installInterception } from '../interception/install-interception.ts'
import { isOwnPort } from '../interception/sockets/own-servers.ts'
import { findPackageRoot, posixRelative } from '../store/package-root.ts'
import { CallRouter } from './calls/call-router.ts'
import { fillCredentials } from './calls/credentials.ts'
import { runsInCI } from './ci.ts'
import type { TapeOptions } from './tape-options.ts'
import { type CurrentFile, workerState } from './worker-state.ts'

export interface FileStart {
  /** Absolute path of the test file. */
  readonly path: string
  /** The project's defaults. */
  readonly options: TapeOptions
  /** True: all of its tests are covered. */
  readonly covered: boolean
  /** The runner's gate for snapshots. */
  readonly update: 'all' | 'new' | 'none'
  /** The global object that its code sees: a realm of its own with some runners. */
  readonly global: typeof globalThis
}

/**
 * Makes this the test file that runs in this worker, before its modules load: roads are intercepted, credentials filled.
 * The roads of the file before it are given up, so that nothing of it is kept.
 */
export function openFile({ path, options, covered, update, global }: FileStart): CurrentFile {
  const state = workerState()
  const environment = process.env.TURNTAPE_MODE
  const { mode } = resolveMode({ ci: runsInCI(), runnerUpdate: update, environment, option: options.mode })
  fillCredentials(global.process.env)
  // Taken before the file's modules can put another in its place.
  nativeResponse()
  const before = state.file?.interception
  const interception = installInterception(new CallRouter({ isOwnPort }), global)
  before?.uninstall()
  const name = posixRelative(packageRoot(dirname(path)), path)
  const file: CurrentFile = {
    path,
    name,
    collecting: true,
    covered,
    options,
    mode,
    strays: [],
    global,
    interception,
  }
  state.file = file
  return file
}

/** All tests of the file are defined, none of its hooks has run. What its modules have put in the place of a road is wrapped now. */
export function endCollecting(file: CurrentFile): void {
  file.collecting = false
  file.interception.ensure()
}

const roots = new Map<string, string>()

/** The nearest package root at or above the folder, remembered. */
export function packageRoot(folder: string): string {
  let root = roots.get(folder)
  if (root === undefined) {
    root = findPackageRoot(folder)
    roots.set(folder, root)
  }
  return root
}
