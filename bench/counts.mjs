// Counts of single operations, which are the same on a busy machine: what a change shows in when times are noisy.
import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

/** What is counted, by scenario of `measure/counts.mjs`. */
export const countedOperations = {
  json: 'a JSON call through `fetch`, replayed',
  'stream-200': 'a streamed answer of 200 chunks, replayed and read',
  'identity-hit': 'identity of a request of 50 KB, bytes as recorded',
  'identity-miss': 'identity of a request of 50 KB, other bytes',
  loop: 'a turn of a loop of 50 turns whose request grows to 500 KB, replayed',
  opening: 'opening a cassette of 10 KB',
}

/** Nothing is compiled, which would allocate otherwise, and nothing is collected. */
const flags = ['--no-opt', '--no-maglev', '--no-sparkplug', '--min-semi-space-size=256', '--max-semi-space-size=256']

/** Needs the harness (`buildHarness`). @param {keyof typeof countedOperations} scenario @returns {Promise<import('./measure/counts.mjs').Counts>} */
export async function countsOf(scenario) {
  const folder = mkdtempSync(path.join(tmpdir(), 'counts-'))
  try {
    writeFileSync(path.join(folder, 'package.json'), '{ "name": "counts", "type": "module" }\n')
    const file = fileURLToPath(new URL('measure/counts.mjs', import.meta.url))
    const args = ['--no-warnings', ...flags, file, JSON.stringify({ scenario, folder })]
    const env = { ...process.env, NODE_OPTIONS: undefined, CI: undefined, TURNTAPE_MODE: 'auto' }
    const { stdout } = await promisify(execFile)(process.execPath, args, { env })
    return JSON.parse(stdout.trim().split('\n').at(-1) ?? '')
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
