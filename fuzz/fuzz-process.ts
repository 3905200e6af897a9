import { closeSync, ftruncateSync, openSync, writeSync } from 'node:fs'
import { fuzzTargets } from './fuzz-targets.ts'
import { makeInputs } from './make-inputs.ts'

export interface FuzzJob {
  readonly target: string
  readonly seed: number
  readonly minutes: number
  /** Holds the input that is being checked, so that whoever started this finds it after a crash, a hang or a full heap. */
  readonly inputFile: string
  /** Of providers, to begin with. */
  readonly answers: readonly Uint8Array[]
}

/** To whoever started the process. */
export type FuzzMessage =
  | { readonly checked: number; readonly done?: true }
  /** In base64. */
  | { readonly found: string; readonly what: string }

/** Checks inputs of one target until its time is up. */
export async function fuzz({ target: name, seed, minutes, inputFile, answers }: FuzzJob): Promise<void> {
  const target = fuzzTargets.find((candidate) => candidate.name === name)
  if (target === undefined) throw new Error(`no target ${name}`)
  const descriptor = openSync(inputFile, 'w')
  const endsAt = performance.now() + minutes * 60_000
  let [checked, saidAt] = [0, performance.now()]
  for (const input of makeInputs(target, target.seeds(answers), seed)) {
    ftruncateSync(descriptor, 0)
    writeSync(descriptor, input, 0, input.length, 0)
    try {
      await target.check(input)
    } catch (error) {
      const what = error instanceof Error ? (error.stack ?? error.message) : String(error)
      say({ found: Buffer.from(input).toString('base64'), what })
    }
    checked += 1
    if (performance.now() - saidAt < 500) continue
    saidAt = performance.now()
    say({ checked })
    // Messages leave only when the loop rests.
    await new Promise((resolve) => setImmediate(resolve))
    if (saidAt > endsAt) break
  }
  closeSync(descriptor)
  say({ checked, done: true })
}

function say(message: FuzzMessage): void {
  process.send?.(message)
}
