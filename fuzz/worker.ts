/**
 * Checks inputs of one target until its time is up, and reports by messages. The input being checked stands in a file, so that
 * whoever started this finds it after a crash, a hang or a heap that was too small.
 */
import { closeSync, ftruncateSync, openSync, writeSync } from 'node:fs'
import { fuzzTargets } from './fuzz-targets.ts'
import { makeInputs } from './make-inputs.ts'

const [name = '', seed = '1', minutes = '1', inputFile = ''] = process.argv.slice(2)

const target = fuzzTargets.find((candidate) => candidate.name === name)
if (target === undefined) throw new Error(`no target ${name}`)
const seeds = await target.seeds()
const descriptor = openSync(inputFile, 'w')
const endsAt = performance.now() + Number(minutes) * 60_000
let [checked, saidAt] = [0, performance.now()]

for (const input of makeInputs(target, seeds, Number(seed))) {
  ftruncateSync(descriptor, 0)
  writeSync(descriptor, input, 0, input.length, 0)
  try {
    await target.check(input)
  } catch (error) {
    const what = error instanceof Error ? (error.stack ?? error.message) : String(error)
    process.send?.({ found: Buffer.from(input).toString('base64'), what })
  }
  checked += 1
  if (performance.now() - saidAt < 500) continue
  saidAt = performance.now()
  process.send?.({ checked })
  // Messages leave only when the loop rests.
  await new Promise((resolve) => setImmediate(resolve))
  if (saidAt > endsAt) break
}
closeSync(descriptor)
process.send?.({ checked, done: true })
process.disconnect?.()
