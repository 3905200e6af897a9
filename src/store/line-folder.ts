/** Lines of JSON that processes beside each other leave in one folder, each in a file of its own, for one that reads them. */
import { appendFileSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { threadId } from 'node:worker_threads'

/** Never throws: where the folder is gone nobody reads it any more. */
export function appendLine(folder: string, line: object): void {
  try {
    appendFileSync(join(folder, `${process.pid}-${threadId}.ndjson`), `${JSON.stringify(line)}\n`)
  } catch {
    // The run that made it is over.
  }
}

/** Every line, those of one process in order. */
export function readLines(folder: string): readonly unknown[] {
  const texts = readdirSync(folder).map((name) => readFileSync(join(folder, name), 'utf8'))
  const lines = texts.flatMap((text) => text.split('\n'))
  return lines.filter((line) => line !== '').map((line): unknown => JSON.parse(line))
}
