/**
 * How attempts reach the reporter: Jest's workers have no channel for it, so that each process appends lines to a file of
 * its own in a folder which the reporter made and named in the environment. Without the reporter nothing is written.
 */
import { appendFileSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { threadId } from 'node:worker_threads'
import type { AttemptReport } from '../../session/attempt.ts'
import type { RunSummary } from '../../session/summarise.ts'

const variable = 'TURNTAPE_RUN_FOLDER'

export type RunLine =
  | ({ readonly file: string; readonly test: readonly string[] } & AttemptReport)
  /** First lines of calls that came after their test had ended. */
  | { readonly file: string; readonly late: readonly string[] }

export function leaveLine(line: RunLine): void {
  const folder = process.env[variable]
  if (!folder) return
  try {
    appendFileSync(join(folder, `${process.pid}-${threadId}.ndjson`), `${JSON.stringify(line)}\n`)
  } catch {
    // The report of a run that is over: nobody reads it any more.
  }
}

/** Makes the folder of a run, for this process and the workers that it starts. */
export function openRunFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'turntape-run-'))
  process.env[variable] = folder
  return folder
}

/** What was left in the folder, which is removed. */
export function closeRunFolder(folder: string): RunSummary {
  const lines = readdirSync(folder).flatMap((name) => readLines(join(folder, name)))
  rmSync(folder, { recursive: true, force: true })
  if (process.env[variable] === folder) delete process.env[variable]
  const tests = new Map<string, AttemptReport[]>()
  const late: string[] = []
  for (const line of lines) {
    if ('late' in line) {
      late.push(...line.late)
      continue
    }
    const key = JSON.stringify([line.file, ...line.test])
    tests.set(key, [...(tests.get(key) ?? []), line])
  }
  const attempts = [...tests.values()].map((ofTest) => ofTest.map(({ report }) => report))
  return { attempts, updateIgnored: [...tests.values()].flat().some(({ updateIgnored }) => updateIgnored), late }
}

function readLines(file: string): readonly RunLine[] {
  const lines = readFileSync(file, 'utf8').split('\n')
  return lines.filter((line) => line !== '').map((line) => JSON.parse(line) as RunLine)
}
