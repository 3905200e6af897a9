/**
 * How attempts reach the reporter: Jest's workers have no channel for it, so that each process appends lines to a file of
 * its own in a folder which the reporter made and named in the environment. Without the reporter nothing is written.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import type { AttemptReport } from '../../session/attempt.ts'
import type { StrayCall } from '../../session/calls/stray-call.ts'
import { appendLine, readLines } from '../../store/line-folder.ts'

const variable = 'TURNTAPE_RUN_FOLDER'
const placesVariable = 'TURNTAPE_RUN_PLACES'

/** One run of one test file. */
export interface RunOfFile {
  /** Absolute. */
  readonly file: string
  /** Unique: a file may run in several projects. */
  readonly run: string
}

export interface AttemptLine extends RunOfFile, AttemptReport {
  readonly names: readonly string[]
  /** 1-based, among the tests of the file with an equal name. */
  readonly index: number
  /** Where the test is defined, where the reporter asks for it. */
  readonly line?: number
}

interface StraysLine extends RunOfFile {
  readonly strays: readonly StrayCall[]
}

export type RunLine = AttemptLine | StraysLine

export function leaveLine(line: RunLine): void {
  const folder = process.env[variable]
  if (folder) appendLine(folder, line)
}

/** True: the reporter says where tests are defined. To find it out takes Jest's source maps, for every test. */
export function wantsPlaces(): boolean {
  return process.env[placesVariable] === '1'
}

/** Makes the folder of a run, for this process and the workers that it starts. */
export function openRunFolder({ places }: { readonly places: boolean }): string {
  const folder = mkdtempSync(join(tmpdir(), 'turntape-run-'))
  process.env[variable] = folder
  process.env[placesVariable] = places ? '1' : '0'
  return folder
}

/** What was left in the folder, which is removed. The lines of one worker are in order. */
export function closeRunFolder(folder: string): readonly RunLine[] {
  const lines = readLines(folder) as readonly RunLine[]
  rmSync(folder, { recursive: true, force: true })
  if (process.env[variable] === folder) {
    delete process.env[variable]
    delete process.env[placesVariable]
  }
  return lines
}
