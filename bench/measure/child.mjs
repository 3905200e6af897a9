// Of a measurement in a process of its own: what it was asked, and how it answers.

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

/** @returns {Promise<typeof import('../harness.ts')>} */
export function loadHarness() {
  return load(new URL('../../node_modules/.cache/turntape-bench/harness.js', import.meta.url).href)
}
