/** The entry `turntape/jest/reporter`. */
import process from 'node:process'
import { summarise } from '../../session/summarise.ts'
import { closeRunFolder, openRunFolder } from './run-folder.ts'

/** Prints what became of the cassettes, in the column of Jest's own summary, once a run; nothing when nothing happened. */
export default class CassetteReporter {
  readonly #folder = openRunFolder()

  onRunComplete(): void {
    const lines = summarise(closeRunFolder(this.#folder), 'jest')
    // stderr, where Jest prints its own: stdout may be owned by --json.
    if (lines.length > 0) process.stderr.write(`${lines.join('\n')}\n`)
  }
}
