/**
 * A process that writes cassettes and does not end by itself at the right moment: bundled to one file, since a process for
 * each kill must start fast. Its only argument is a `Plan` in JSON; each line that it prints is a fact that now holds.
 */
import { writeSync } from 'node:fs'
import { defaultCaps } from '../../src/core/cassette/caps.ts'
import { isReplayError } from '../../src/errors/replay-error.ts'
import { createStore } from '../../src/store/cassette-store.ts'
import { cassettePath, edition, type Scenario, scenarios } from './scenarios.ts'
import { changesThatStop } from './stopping-changes.ts'

export type Plan =
  /** One scenario, killed in its nth change. */
  | {
      readonly do: 'step'
      readonly root: string
      readonly scenario: Scenario
      readonly killAt: number
      readonly half: boolean
    }
  /** One scenario; what it threw is printed. */
  | { readonly do: 'try'; readonly root: string; readonly scenario: Scenario }
  /** Editions from this one on, each pending, then committed, until the process is killed. */
  | { readonly do: 'loop'; readonly root: string; readonly from: number; readonly bytes: number }
  /** The same on a cassette that others write as well, so many times; a conflict reads it again. */
  | { readonly do: 'compete'; readonly root: string; readonly from: number; readonly times: number }

const plan = JSON.parse(process.argv[2] ?? '') as Plan

/** Written at once: what a killed process has said has been said. */
function say(fact: string): void {
  writeSync(1, `${fact}\n`)
}

switch (plan.do) {
  case 'step': {
    const changes = changesThatStop(plan.killAt, { half: plan.half, stop: () => process.kill(process.pid, 'SIGKILL') })
    scenarios[plan.scenario].run(createStore({ root: plan.root, changes }))
    say('ended')
    break
  }
  case 'try':
    say(outcomeOf(() => scenarios[plan.scenario].run(createStore({ root: plan.root }))))
    break
  case 'loop':
    loop(plan)
    break
  case 'compete':
    compete(plan)
    break
}

function loop({ root, from, bytes }: Extract<Plan, { do: 'loop' }>): void {
  const store = createStore({ root })
  for (let number = from; ; number++) {
    const write = { path: cassettePath, ...edition(number, bytes) }
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
    const write = { path: cassettePath, ...edition(number, 3000), caps: defaultCaps, expected }
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
