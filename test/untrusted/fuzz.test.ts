/** A short run of every fuzzer, the same each time; and every input that was ever found. `npm run fuzz` runs them for longer. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import type { FuzzTarget } from '../../fuzz/fuzz-target.ts'
import { fuzzTargets } from '../../fuzz/fuzz-targets.ts'
import { makeInputs } from '../../fuzz/make-inputs.ts'

const inputs = 250

function found({ name }: FuzzTarget): readonly { readonly file: string; readonly bytes: Uint8Array }[] {
  const folder = fileURLToPath(new URL(`../../fuzz/found/${name}/`, import.meta.url))
  if (!existsSync(folder)) return []
  return readdirSync(folder).map((file) => ({ file, bytes: readFileSync(folder + file) }))
}

describe.each(fuzzTargets)('promise 8 $name: $promise', (target) => {
  test(`${inputs} inputs of a fixed seed`, async () => {
    let checked = 0
    for (const input of makeInputs(target, target.seeds([]), 7)) {
      try {
        await target.check(input)
      } catch (cause) {
        throw new Error(`input ${checked}: ${JSON.stringify(Buffer.from(input).toString('latin1'))}`, { cause })
      }
      checked += 1
      if (checked === inputs) break
    }
    expect(checked).toBe(inputs)
  })

  test('every input that was found', async () => {
    for (const { file, bytes } of found(target))
      await expect(Promise.resolve(bytes).then(target.check), file).resolves.toBe(undefined)
  })
})
