/**
 * A process that writes cassettes and does not end by itself at the right moment: bundled to one file, since a process for
 * each kill must start fast. Its only argument is a `Plan` in JSON; each line that it prints is a fact that now holds.
 */
import { appendFileSync, rmSync, statSync, truncateSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { defaultCaps } from '../../src/core/cassette/caps.ts'
import { isReplayError } from '../../src/errors/replay-error.ts'
import { createStore } from '../../src/store/cassette-store.ts'
import { errorCode } from '../../src/store/file-fault.ts'
import { lookAt } from './look.ts'
import { cassettePath, edition, prepare, type Scenario, scenarios } from './scenarios.ts'
import { changesThatStop, type StopAt } from './stopping-changes.ts'

export type Plan =
  /** One scenario, killed in its nth change. */
  | { readonly do: 'step'; readonly root: string; readonly scenario: Scenario; readonly stop: StopAt }
  /** One scenario; what it threw is printed. */
  | { readonly do: 'try'; readonly root: string; readonly scenario: Scenario }
  /** `another commit` on a small disk with 0, 1, 2, … free pages, until it succeeds; what came of each is printed. */
  | { readonly do: 'fill'; readonly root: string }
  /** Editions from this one on, each pending, then committed, until the process is killed. */
  | { readonly do: 'loop'; readonly root: string; readonly from: number }
  /** The same on a cassette that others write as well, so many times; a conflict reads it again. */
  | { readonly do: 'compete'; readonly root: string; readonly from: number; readonly times: number }

const pageBytes = 4096
const plan = JSON.parse(process.argv[2] ?? '') as Plan

/** Written at once: what a killed process has said has been said. */
function say(fact: string): void {
  writeSync(1, `${fact}\n`)
}

switch (plan.do) {
  case 'step': {
    const changes = changesThatStop(plan.stop, () => process.kill(process.pid, 'SIGKILL'))
    scenarios[plan.scenario].run(createStore({ root: plan.root, changes }))
    say('ended')
    break
  }
  case 'try':
    say(outcomeOf(() => scenarios[plan.scenario].run(createStore({ root: plan.root }))))
    break
  case 'fill':
    fill(plan.root)
    break
  case 'loop':
    loop(plan)
    break
  case 'compete':
    compete(plan)
    break
}

function fill(disk: string): void {
  for (let freePages = 0; ; freePages++) {
    const root = join(disk, `with-${freePages}`)
    prepare(createStore({ root }), 'another commit')
    const ballast = join(disk, 'ballast')
    fillUp(ballast)
    truncateSync(ballast, Math.max(0, statSync(ballast).size - freePages * pageBytes))
    const outcome = outcomeOf(() => scenarios['another commit'].run(createStore({ root })))
    say(JSON.stringify({ outcome, ...lookAt(root), temporary: createStore({ root }).leftovers('temporary').length }))
    rmSync(ballast)
    rmSync(root, { recursive: true })
    if (outcome === 'written') return
  }
}

function fillUp(file: string): void {
  for (;;) {
    try {
      appendFileSync(file, Buffer.alloc(pageBytes))
    } catch (error) {
      if (errorCode(error) === 'ENOSPC') return
      throw error
    }
  }
}

function loop({ root, from }: Extract<Plan, { do: 'loop' }>): void {
  const store = createStore({ root })
  for (let number = from; ; number++) {
    const write = { path: cassettePath, ...edition(number) }
    store.writePending(write)
    say(`pending ${number}`)
    store.write({ ...write, caps: defaultCaps, expected: store.token(cassettePath) })
    say(`committed ${number}`)
    store.removePending(cassettePath)
  }
}

function compete({ root, from, times }: Extract<Plan, { do: 'compete' }>): void {
  const store = createStore({ root })
  for (let number = from; number < from + times; number++) {
    const expected = store.token(cassettePath)
    const write = { path: cassettePath, ...edition(number), caps: defaultCaps, expected }
    say(`${outcomeOf(() => store.write(write))} ${number}`)
  }
}

function outcomeOf(run: () => unknown): string {
  try {
    return String(run())
  } catch (error) {
    if (!isReplayError(error)) throw error
    return `${error.code} ${JSON.stringify(error.details)}`
  }
}
