// What importing one module costs in a process that has Node's own undici, and what else a worker has: in milliseconds.
import { answer, asked, load } from './child.mjs'
import { profiled } from './profile.mjs'

/** @typedef {{ module: string, also: readonly string[], before: readonly string[], environment?: Record<string, string>, profile?: boolean }} Ask `also`: imported with it; `before`: what a worker has loaded already; `environment`: what it has there */

/** @type {Ask} */
const { module, also, before, environment, profile } = asked()
Object.assign(process.env, environment)
await (await fetch('data:,loaded')).text()
for (const other of before) await load(other)
const emptyMs = await importMs('data:text/javascript,export%20{}')
let ms = -emptyMs
const parts = profile === true ? await profiled(importAll) : await importAll()
answer({ ms, parts })

async function importAll() {
  for (const each of [...also, module]) ms += await importMs(each)
}

/** @param {string} specifier */
async function importMs(specifier) {
  const start = performance.now()
  await load(specifier)
  return performance.now() - start
}
