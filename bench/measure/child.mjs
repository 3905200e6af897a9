// Of a measurement in a process of its own: what it was asked, how it answers, and how a recording is replayed in it.
import { mkdirSync } from 'node:fs'

/** @returns {any} */
export function asked() {
  return JSON.parse(process.argv[2] ?? '{}')
}

/** Ends the process: peers leave timers and sockets behind. @param {unknown} value */
export function answer(value) {
  process.stdout.write(`\n${JSON.stringify(value)}\n`, () => process.exit(0))
}

/** A package by a name that the type checker does not look up: those of the bench are not installed with the project. @param {string} name @returns {Promise<any>} */
export function load(name) {
  return import(name)
}

/**
 * A recording of these exchanges, and how each block of calls is replayed from it: one test, with the cassette opened anew.
 * @param {{ folder: string, name: string, exchanges: readonly import('../harness.ts').Exchange[], call: (number: number) => unknown, options?: object }} replayed
 */
export async function replaysOf({ folder, name, exchanges, call, options = {} }) {
  const { Workspace, writeRecording } = await loadHarness()
  mkdirSync(folder, { recursive: true })
  await writeRecording(folder, name, exchanges)
  const workspace = new Workspace(folder, { mode: 'replay', ...options })
  return () => {
    const test = workspace.start(name)
    return { once: (/** @type {number} */ number) => test.run(() => call(number)), close: () => test.end() }
  }
}

/** @returns {Promise<typeof import('../harness.ts')>} */
export function loadHarness() {
  return load(new URL('../../node_modules/.cache/turntape-bench/harness.js', import.meta.url).href)
}
