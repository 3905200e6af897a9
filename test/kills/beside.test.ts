/**
 * Two runs that write one cassette. No locks: a file that is not what was read is left alone, and the recording is pending.
 * What remains is the moment between the last look and the rename: then the later one stands, whole.
 */
import { beforeAll, describe, expect, test } from 'vitest'
import { defaultCaps } from '../../src/core/cassette/caps.ts'
import { isReplayError } from '../../src/errors/replay-error.ts'
import { type CassetteStore, createStore } from '../../src/store/cassette-store.ts'
import { bundleKillChild, type KillChild } from './kill-child.ts'
import { filesBelow, prepared, temporaryRoot } from './kill-roots.ts'
import { lookAt } from './look.ts'
import { cassettePath, edition, type Scenario, scenarios } from './scenarios.ts'
import { recordChanges, watchedChanges } from './stopping-changes.ts'

let start: KillChild
beforeAll(async () => {
  start = await bundleKillChild()
})

function outcomeOf(run: () => unknown): unknown {
  try {
    return run()
  } catch (error) {
    return isReplayError(error) ? error.code : error
  }
}

/** What another process does meanwhile, and which edition is committed then. */
const others = {
  'commits as well': {
    run: (store: CassetteStore) =>
      store.write({ path: cassettePath, ...edition(3), caps: defaultCaps, expected: store.token(cassettePath) }),
    committed: 3,
  },
  'removes the cassette': {
    run: (store: CassetteStore) => store.remove(cassettePath, store.token(cassettePath)),
    committed: undefined,
  },
} as const

describe('promise 6: another process, in the middle of any change of a commit', () => {
  const pairs = (['the first commit', 'another commit'] as const satisfies readonly Scenario[]).flatMap((scenario) =>
    (Object.keys(others) as (keyof typeof others)[]).map((other) => ({ scenario, other })),
  )
  test.each(pairs)('$other, at $scenario', ({ scenario, other }) => {
    const { run } = scenarios[scenario]
    const changes = recordChanges((changes) => run(createStore({ root: prepared(scenario), changes })))
    const placed = changes.lastIndexOf(scenario === 'the first commit' ? 'link' : 'rename')
    for (const at of changes.keys()) {
      const root = prepared(scenario)
      const between: unknown[] = []
      const watched = watchedChanges(({ count }) => {
        if (count === at + 1) between.push(outcomeOf(() => others[other].run(createStore({ root }))))
        return undefined
      })
      const outcome = outcomeOf(() => run(createStore({ root, changes: watched })))
      const { committed, pending } = lookAt(root)
      const where = `change ${at + 1}, ${changes[at]}: ${outcome}, ${between}`
      const isOverrun = scenario === 'another commit' && at === placed
      const conflicts = at <= placed && between[0] !== false && !isOverrun
      if (conflicts && !(scenario === 'the first commit' && other === 'removes the cassette')) {
        expect([outcome, committed, pending], where).toEqual(['TURNTAPE_STORE_CONFLICT', others[other].committed, 2])
      } else if (at <= placed) expect([outcome, committed], where).toEqual(['written', 2])
      else expect([outcome, committed], where).toEqual(['written', others[other].committed])
      expect(filesBelow(root).filter((file) => file.includes('.turntape-'))).toEqual([])
    }
  })
})

test('promise 6: another process that commits in the middle of a removal keeps its cassette whole, or has none', () => {
  const { run } = scenarios['a cassette that is removed']
  const changes = recordChanges((changes) =>
    run(createStore({ root: prepared('a cassette that is removed'), changes })),
  )
  for (const at of changes.keys()) {
    const root = prepared('a cassette that is removed')
    const watched = watchedChanges(({ count }) => {
      if (count === at + 1) others['commits as well'].run(createStore({ root }))
      return undefined
    })
    run(createStore({ root, changes: watched }))
    // Between the last look and the removal lies one call of the system: what is committed there goes with it.
    expect([at, lookAt(root).committed]).toEqual([at, at === 0 ? undefined : 3])
    expect(at > 0 || filesBelow(root).length === 0).toBe(true)
  }
})

test('promise 6: of three processes that commit one cassette over and over none leaves half of what it wrote', async () => {
  const root = temporaryRoot()
  const children = [1000, 2000, 3000].map((from) => start({ do: 'compete', root, from, times: 60 }))
  const said = (await Promise.all(children)).flatMap(({ said }) => said)
  expect(said).toHaveLength(180)
  const codes = new Set(said.map((line) => line.split(' ', 1)[0]))
  expect([...codes].sort()).toEqual(['TURNTAPE_STORE_CONFLICT', 'written'])
  const { committed, pending } = lookAt(root)
  expect(said.some((line) => line === `written ${committed}`)).toBe(true)
  expect(said.some((line) => line.startsWith('TURNTAPE_STORE_CONFLICT') && line.endsWith(` ${pending}`))).toBe(true)
  expect(filesBelow(root).filter((file) => file.includes('.turntape-'))).toEqual([])
})
