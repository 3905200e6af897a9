/**
 * A process killed while it writes: in every change of a write, and at random moments, 100 in every run of the tests, more by
 * `node scripts/kill-runs.mjs`.
 */
import { utimesSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { defaultCaps } from '../../src/core/cassette/caps.ts'
import { createStore } from '../../src/store/cassette-store.ts'
import { sideFolderOf } from '../../src/store/store-path.ts'
import { bundleKillChild, type KillChild } from './kill-child.ts'
import { filesBelow, prepared, temporaryRoot } from './kill-roots.ts'
import { lookAt } from './look.ts'
import { cassettePath, edition, factsOf, type Scenario, scenarios } from './scenarios.ts'
import { changesThatDie, recordChanges, type StopAt, stopsOf } from './stopping-changes.ts'

let start: KillChild
beforeAll(async () => {
  start = await bundleKillChild()
})

/** Several at a time: each is a process of its own. */
async function each<T>(items: readonly T[], visit: (item: T) => Promise<void>): Promise<void> {
  const rest = [...items]
  const worker = async (): Promise<void> => {
    for (let item = rest.shift(); item !== undefined; item = rest.shift()) await visit(item)
  }
  await Promise.all([worker(), worker(), worker()])
}

/** Hours later. */
function age(root: string): void {
  for (const file of filesBelow(root)) utimesSync(join(root, file), 1, 1)
}

/** The next run, and an hour later `prune`: nothing is left but what the cassette needs. */
function expectClean(root: string): void {
  const store = createStore({ root })
  const next = edition(9)
  store.write({ path: cassettePath, ...next, caps: defaultCaps, expected: store.token(cassettePath) })
  store.removePending(cassettePath)
  store.removeLeftovers('temporary')
  expect(filesBelow(root).filter((file) => file.includes('.turntape-'))).toEqual([])
  age(root)
  store.removeLeftovers('all')
  const own = [...next.sideFiles.keys()].map((name) => join(sideFolderOf(cassettePath), name))
  expect(filesBelow(root)).toEqual([...own, cassettePath].sort())
}

const kills = Number(process.env.TURNTAPE_KILLS ?? 100)

const scenarioNames = Object.keys(scenarios) as readonly Scenario[]

/** Every place where the scenario can be stopped. */
function stopsIn(scenario: Scenario): readonly { readonly stop: StopAt; readonly where: string }[] {
  const root = prepared(scenario)
  const changes = recordChanges((changes) => scenarios[scenario].run(createStore({ root, changes })))
  return stopsOf(changes).map((stop) => ({ stop, where: `${changes[stop.at - 1]}, change ${stop.at}` }))
}

function expectOldOrNew({
  root,
  scenario,
  where,
}: {
  readonly root: string
  readonly scenario: Scenario
  readonly where: string
}): void {
  const { committed, pending, never, isRefused } = factsOf(scenario)
  const found = lookAt(root)
  expect(committed, where).toContain(found.committed)
  expect(pending, where).toContain(found.pending)
  if (isRefused?.includes(found.pending)) expect(found.refused, where).toBe(true)
  if (never === 'lost') expect([found.committed, found.pending], where).toContain(2)
  expectClean(root)
}

describe('promise 6: death in every change of a write leaves the old file or the new one, and all that it needs', () => {
  test.each(scenarioNames)('%s', async (scenario) => {
    for (const { stop, where } of stopsIn(scenario)) {
      const root = prepared(scenario)
      const store = createStore({ root, changes: changesThatDie(stop) })
      try {
        scenarios[scenario].run(store)
      } catch {
        // Nobody sees what a dead process throws.
      }
      // The process that died is this one, which goes on: its temporary file is known by its age.
      age(root)
      expectOldOrNew({ root, scenario, where })
    }
  })

  const real: readonly Scenario[] = kills > 100 ? scenarioNames : ['another commit']
  test.each(real)('by kill -9: %s', async (scenario) => {
    await each(stopsIn(scenario), async ({ stop, where }) => {
      const root = prepared(scenario)
      expect(await start({ do: 'step', root, scenario, stop }), where).toEqual({ signal: 'SIGKILL', said: [] })
      expectOldOrNew({ root, scenario, where })
    })
  })
})

test('promise 6: of kills at random moments none tears a file and none loses what was kept', async () => {
  const roots = [temporaryRoot(), temporaryRoot(), temporaryRoot()]
  const next = new Map(roots.map((root) => [root, 1]))
  let left = kills
  let interrupted = 0
  await each(roots, async (root) => {
    while (left > 0) {
      left -= 1
      const from = next.get(root) as number
      const ended = await start(
        { do: 'loop', root, from },
        { onOutput: (child) => void setTimeout(() => child.kill('SIGKILL'), Math.random() * 12) },
      )
      expect(ended.signal).toBe('SIGKILL')
      const numbers = (fact: string) =>
        ended.said.filter((line) => line.startsWith(fact)).map((line) => Number(line.split(' ')[1]))
      const lastKept = numbers('pending').at(-1) ?? from - 1
      const lastCommitted = numbers('committed').at(-1)
      const found = lookAt(root)
      expect(Math.max(found.committed ?? 0, found.pending ?? 0), JSON.stringify(found)).toBeGreaterThanOrEqual(lastKept)
      expect(found.committed ?? 0).toBeGreaterThanOrEqual(lastCommitted ?? 0)
      if (createStore({ root }).leftovers('temporary').length > 0) interrupted += 1
      next.set(root, lastKept + 2)
    }
  })
  for (const root of roots) expectClean(root)
  // Otherwise no kill came while a file was half written, and nothing was shown.
  expect(interrupted).toBeGreaterThan(0)
})
