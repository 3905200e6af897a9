// What importing one module costs in a process that has Node's own undici, and what else a worker has: in milliseconds.
import { answer, asked, load } from './child.mjs'

/** @typedef {{ module: string, also: readonly string[], before: readonly string[] }} Ask `also`: imported with it; `before`: what a worker has loaded already */

/** @type {Ask} */
const { module, also, before } = asked()
await (await fetch('data:,loaded')).text()
for (const other of before) await load(other)
const emptyMs = await importMs('data:text/javascript,export%20{}')
let ms = -emptyMs
for (const each of [...also, module]) ms += await importMs(each)
answer({ ms })

/** @param {string} specifier */
async function importMs(specifier) {
  const start = performance.now()
  await load(specifier)
  return performance.now() - start
}
