import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { createStore } from '../../src/store/cassette-store.ts'
import { prepare, type Scenario } from './scenarios.ts'

/** In memory where there is such a folder: a kill, unlike a power cut, does not ask whether a disk has been flushed. */
const memory = '/dev/shm'

/** A package root that goes with the test. */
export function temporaryRoot(): string {
  const root = mkdtempSync(join(existsSync(memory) ? memory : tmpdir(), 'kills-'))
  onTestFinished(() => rmSync(root, { recursive: true, force: true }))
  return root
}

/** One with what the scenario finds there. */
export function prepared(scenario: Scenario): string {
  const root = temporaryRoot()
  prepare(createStore({ root }), scenario)
  return root
}

/** Relative to it, sorted. */
export function filesBelow(root: string): readonly string[] {
  return readdirSync(root, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(root.length + 1))
    .sort()
}
