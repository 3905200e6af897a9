/**
 * A process killed while it writes: in every change of a write, and at random moments, 100 in every run of the tests, more by
 * `node scripts/kill-runs.mjs`.
 */
import { mkdtempSync, readdirSync, rmSync, utimesSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { defaultCaps } from '../../src/core/cassette/caps.ts'
import { createStore } from '../../src/store/cassette-store.ts'
import { sideFolderOf } from '../../src/store/store-path.ts'
import { bundleKillChild, type KillChild } from './kill-child.ts'
import { lookAt } from './look.ts'
import { cassettePath, edition, factsOf, prepare, type Scenario, scenarios } from './scenarios.ts'
import { recordChanges } from './stopping-changes.ts'

let start: KillChild
beforeAll(async () => {
  start = await bundleKillChild()
})

function temporaryRoot(): string {
  const root = mkdtempSync(join(tmpdir(), 'kills-'))
  onTestFinished(() => rmSync(root, { recursive: true, force: true }))
  return root
}

/** Several at a time: each is a process of its own. */
async function each<T>(items: readonly T[], visit: (item: T) => Promise<void>): Promise<void> {
  const rest = [...items]
  const worker = async (): Promise<void> => {
    for (let item = rest.shift(); item !== undefined; item = rest.shift()) await visit(item)
  }
  await Promise.all([worker(), worker(), worker()])
}

function filesBelow(root: string): readonly string[] {
  return readdirSync(root, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(root.length + 1))
    .sort()
}

/** The next run, and an hour later `prune`: nothing is left but what the cassette needs. */
function expectClean(root: string): void {
  const store = createStore({ root })
  const next = edition(9)
  store.write({ path: cassettePath, ...next, caps: defaultCaps, expected: store.token(cassettePath) })
  store.removePending(cassettePath)
  store.removeLeftovers('temporary')
  expect(filesBelow(root).filter((file) => file.includes('.turntape-'))).toEqual([])
  for (const file of filesBelow(root)) utimesSync(join(root, file), 1, 1)
  store.removeLeftovers('all')
  const own = [...next.sideFiles.keys()].map((name) => join(sideFolderOf(cassettePath), name))
  expect(filesBelow(root)).toEqual([...own, cassettePath].sort())
}

describe('promise 6: a kill in every change of a write leaves the old file or the new one, and all that it needs', () => {
  test.each(Object.keys(scenarios) as readonly Scenario[])('%s', async (scenario) => {
    const sample = temporaryRoot()
    prepare(createStore({ root: sample }), scenario)
    const changes = recordChanges((changes) => scenarios[scenario].run(createStore({ root: sample, changes })))
    const { committed, pending, never, isRefused } = factsOf(scenario)
    const places = changes.flatMap((change, at) => [
      { killAt: at + 1, half: false },
      ...(change === 'write' ? [{ killAt: at + 1, half: true }] : []),
    ])
    await each(places, async (place) => {
      const root = temporaryRoot()
      prepare(createStore({ root }), scenario)
      const ended = await start({ do: 'step', root, scenario, ...place })
      const where = `${changes[place.killAt - 1]}, change ${place.killAt}`
      expect(ended, where).toEqual({ signal: 'SIGKILL', said: [] })
      const found = lookAt(root)
      expect(committed, where).toContain(found.committed)
      expect(pending, where).toContain(found.pending)
      if (isRefused?.includes(found.pending)) expect(found.refused, where).toBe(true)
      if (never === 'lost') expect([found.committed, found.pending], where).toContain(2)
      expectClean(root)
    })
  })
})

test('promise 6: of kills at random moments none tears a file and none loses what was kept', async () => {
  const kills = Number(process.env.TURNTAPE_KILLS ?? 100)
  const roots = [temporaryRoot(), temporaryRoot(), temporaryRoot()]
  const next = new Map(roots.map((root) => [root, 1]))
  let left = kills
  let interrupted = 0
  await each(roots, async (root) => {
    while (left > 0) {
      left -= 1
      const bytes = left % 2 === 0 ? 3000 : 200_000
      const from = next.get(root) as number
      const ended = await start(
        { do: 'loop', root, from, bytes },
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
