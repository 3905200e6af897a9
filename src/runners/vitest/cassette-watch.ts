/**
 * Watch mode: a cassette that somebody changed, put there or deleted reruns the files of its test, and no others; what a
 * run wrote itself reruns nothing. Decides only that; Vitest reruns, as for any file that it watches.
 */
import { readFileSync } from 'node:fs'
import { dirname, posix } from 'node:path'
import { clearTimeout, setTimeout } from 'node:timers'
import type { Reporter, TestModule, Vitest } from 'vitest/node'
import { cassettePaths } from '../../core/cassette/cassette-path.ts'
import { contentHash } from '../../core/cassette/content-hash.ts'
import type { SessionOutcome } from '../../session/session-report.ts'
import { findPackageRoot, posixRelative } from '../../store/package-root.ts'
import { runFile } from './collect-facts.ts'

/** Changes come in groups: a branch is checked out, a file is replaced by way of another one. */
const settleMs = 50

const changing: ReadonlySet<SessionOutcome> = new Set(['written', 'updated', 'rebased'])

/** All paths are absolute and POSIX. */
export class CassetteWatch implements Reporter {
  #vitest: Vitest | undefined
  #isRunning = false
  /** The cassettes of the tests of each file. */
  readonly #cassettesOfFile = new Map<string, ReadonlySet<string>>()
  /** What a run left of a cassette that it changed: its hash, undefined where it removed it. */
  readonly #left = new Map<string, string | undefined>()
  /** Cassettes that something happened to. */
  readonly #touched = new Set<string>()
  /** What the next event, which is ours, is to rerun. */
  #due: readonly string[] | undefined
  #timer: NodeJS.Timeout | undefined

  onInit(vitest: Vitest): void {
    this.#vitest = vitest
    const { config, vite } = vitest
    for (const event of ['add', 'change', 'unlink'] as const) vite.watcher.on(event, (path) => this.#onEvent(path))
    config.watchTriggerPatterns = [
      ...(config.watchTriggerPatterns ?? []),
      { pattern: /\.json$/, testsToRun: () => (this.#due === undefined ? undefined : [...this.#due]) },
    ]
  }

  onTestRunStart(): void {
    this.#isRunning = true
  }

  onTestRunEnd(modules: readonly TestModule[]): void {
    for (const module of modules) this.#learn(module)
    this.#isRunning = false
    this.#settle()
  }

  #learn(module: TestModule): void {
    const { path, tests } = runFile(module)
    if (tests.length === 0) return // it could not be collected: what is known of it holds
    const root = findPackageRoot(dirname(path))
    const place = (cassette: string): string => posix.join(root.replaceAll('\\', '/'), cassette)
    const reports = tests.flatMap(({ attempts }) => attempts)
    const byRule = cassettePaths({ testFile: posixRelative(root, path), tests: tests.map(({ names }) => names) })
    this.#cassettesOfFile.set(path, new Set([...byRule, ...reports.map(({ cassette }) => cassette)].map(place)))
    for (const { cassette, outcome } of reports) {
      if (changing.has(outcome)) this.#left.set(place(cassette), hashOf(place(cassette)))
    }
    const { config, vite } = this.#vitest as Vitest
    if (posixRelative(config.root, root).startsWith('..')) vite.watcher.add(place('cassettes'))
  }

  #onEvent(path: string): void {
    if (this.#due !== undefined) return
    const cassette = cassetteOf(path.replaceAll('\\', '/'))
    if (cassette === undefined) return
    this.#touched.add(cassette)
    this.#settle()
  }

  /** What happens during a run is looked at when it is over: the run itself may have done it. */
  #settle(): void {
    clearTimeout(this.#timer)
    if (this.#isRunning || this.#touched.size === 0) return
    this.#timer = setTimeout(() => this.#rerun(), settleMs)
  }

  #rerun(): void {
    const touched = [...this.#touched]
    this.#touched.clear()
    for (const cassette of touched) {
      if (this.#left.has(cassette) && this.#left.get(cassette) === hashOf(cassette)) continue
      this.#left.delete(cassette)
      const files = [...this.#cassettesOfFile].flatMap(([file, cassettes]) => (cassettes.has(cassette) ? [file] : []))
      if (files.length > 0) this.#trigger(cassette, files)
    }
  }

  /** As a change, since Vitest asks its patterns at a deletion no more. */
  #trigger(cassette: string, files: readonly string[]): void {
    this.#due = files
    this.#vitest?.vite.watcher.emit('change', cassette)
    this.#due = undefined
  }
}

/** The cassette that this file is, or is a side file of. */
function cassetteOf(path: string): string | undefined {
  const [, owner] = /^(.*)\.files\/[0-9a-f]{64}\.[a-z0-9]{1,16}$/.exec(path) ?? []
  if (owner !== undefined) return `${owner}.json`
  return path.endsWith('.json') ? path : undefined
}

function hashOf(file: string): string | undefined {
  try {
    return contentHash(readFileSync(file))
  } catch {
    return undefined // it is gone
  }
}
