/** Disks that refuse: in every change of a write, and real ones that are full, too small or read-only. */
import { spawnSync } from 'node:child_process'
import { chmodSync, chownSync, mkdirSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { isReplayError } from '../../src/errors/replay-error.ts'
import { createStore } from '../../src/store/cassette-store.ts'
import { bundleKillChild, type KillChild } from './kill-child.ts'
import { filesBelow, prepared, temporaryRoot } from './kill-roots.ts'
import { lookAt } from './look.ts'
import { cassettePath, factsOf, type Scenario, scenarios } from './scenarios.ts'
import { recordChanges, watchedChanges } from './stopping-changes.ts'

const pendingPath = `node_modules/.cache/turntape/${cassettePath}`

let start: KillChild
beforeAll(async () => {
  start = await bundleKillChild()
})

describe('promise 6: a change that the system refuses leaves the old file or the new one, says so, and leaves nothing else', () => {
  const commits: readonly Scenario[] = ['the first commit', 'another commit']
  test.each(commits)('%s', (scenario) => {
    const changes = recordChanges((changes) =>
      scenarios[scenario].run(createStore({ root: prepared(scenario), changes })),
    )
    const outcomes = changes.map((change, at) => {
      const root = prepared(scenario)
      const refusing = watchedChanges(({ count }) => {
        if (count === at + 1) throw Object.assign(new Error(`a path in a message, /home/someone`), { code: 'ENOSPC' })
        return undefined
      })
      const outcome = outcomeOf(() => scenarios[scenario].run(createStore({ root, changes: refusing })))
      const { committed, pending } = lookAt(root)
      expect(filesBelow(root).filter((file) => file.includes('.turntape-'))).toEqual(leftBy(change))
      if (outcome === 'written') expect([committed, pending]).toEqual([2, undefined])
      else {
        const reason = 'no space left on the device (ENOSPC)'
        const details = { cassette: cassettePath, pendingPath, reason }
        expect(outcome).toEqual({ code: 'TURNTAPE_STORE_FAILED', details })
        expect([committed, pending]).toEqual([factsOf(scenario).committed[0], 2])
      }
      return outcome === 'written' ? `${change} does no harm` : change
    })
    expect([...new Set(outcomes)]).toMatchSnapshot()
  })

  test.each([
    'another pending recording',
    'a refused pending recording',
    'a pending recording in the place of a refused one',
  ] as const)('%s', (scenario) => {
    const changes = recordChanges((changes) =>
      scenarios[scenario].run(createStore({ root: prepared(scenario), changes })),
    )
    for (const at of changes.keys()) {
      const root = prepared(scenario)
      const refusing = watchedChanges(({ count }) => {
        if (count === at + 1) throw Object.assign(new Error('refused'), { code: 'EROFS' })
        return undefined
      })
      expect([undefined, pendingPath]).toContain(scenarios[scenario].run(createStore({ root, changes: refusing })))
      const found = lookAt(root)
      expect(factsOf(scenario).pending).toContain(found.pending)
      if (factsOf(scenario).isRefused?.includes(found.pending)) expect(found.refused).toBe(true)
    }
  })
})

/** Where removing the temporary file is what fails. */
function leftBy(change: string): unknown {
  return change === 'remove' ? expect.any(Array) : []
}

function outcomeOf(run: () => unknown): unknown {
  try {
    return run()
  } catch (error) {
    return isReplayError(error) ? { code: error.code, details: error.details } : error
  }
}

/** With a file system of its own there, of 2 MB. */
function onSmallDisk(folder: string): (command: readonly string[]) => readonly string[] {
  const mounted = 'mount -t tmpfs -o size=2m none "$0" && exec "$@"'
  return (command) => ['unshare', '-rm', 'sh', '-c', mounted, folder, ...command]
}

const canMount = spawnSync('unshare', ['-rm', 'sh', '-c', 'mount -t tmpfs none /mnt']).status === 0

describe('promise 6: on a real disk that refuses, the committed file stays as it was', () => {
  test.skipIf(!canMount)(
    'that is full, down to every last page (ENOSPC; skipped where nothing can be mounted)',
    async () => {
      const root = temporaryRoot()
      const { said } = await start({ do: 'fill', root }, { within: onSmallDisk(root) })
      const tries = said.map((line) => JSON.parse(line))
      expect(tries.pop()).toEqual({ outcome: 'written', committed: 2, refused: false, temporary: 0 })
      expect(tries.length).toBeGreaterThan(2)
      for (const found of tries) {
        expect(found).toMatchObject({ committed: 1, refused: false, temporary: 0 })
        expect(found.outcome).toMatch(/^TURNTAPE_STORE_FAILED .*no space left on the device \(ENOSPC\)/)
        expect(found.outcome.includes('pendingPath')).toBe(found.pending === 2)
      }
    },
  )

  test('on which files may not grow (EFBIG)', async () => {
    const root = prepared('another commit')
    // 4 blocks of 512 bytes (in some shells of 1024): less than a side file or the cassette.
    const ended = await start(
      { do: 'try', root, scenario: 'another commit' },
      { within: (command) => ['sh', '-c', 'ulimit -f 4; exec "$0" "$@"', ...command] },
    )
    expect(ended.said).toEqual([
      `TURNTAPE_STORE_FAILED ${JSON.stringify({ cassette: cassettePath, reason: 'it is larger than a file may be here (EFBIG)' })}`,
    ])
    expect(lookAt(root)).toEqual({ committed: 1, pending: undefined, refused: false })
    expect(filesBelow(root).filter((file) => file.includes('.turntape-'))).toEqual([])
  })

  test.each([
    ['where only the cassettes are read-only, the recording is pending', true],
    ['where everything is read-only, nothing is written', false],
  ])('%s', async (_, hasCache) => {
    const root = prepared('another commit')
    const userId = process.getuid?.() === 0 ? 65_534 : undefined
    const cache = join(root, 'node_modules/.cache')
    if (hasCache) {
      mkdirSync(cache, { recursive: true })
      if (userId !== undefined) chownSync(cache, userId, userId)
    }
    const folders = [root, ...foldersBelow(root)].filter((folder) => folder !== cache)
    for (const folder of folders) chmodSync(folder, 0o555)
    const ended = await start({ do: 'try', root, scenario: 'another commit' }, userId === undefined ? {} : { userId })
    for (const folder of folders) chmodSync(folder, 0o755)
    const details = {
      cassette: cassettePath,
      ...(hasCache ? { pendingPath } : {}),
      reason: 'permission denied (EACCES)',
    }
    expect(ended.said).toEqual([`TURNTAPE_STORE_FAILED ${JSON.stringify(details)}`])
    expect(lookAt(root)).toEqual({ committed: 1, pending: hasCache ? 2 : undefined, refused: false })
  })
})

function foldersBelow(root: string): readonly string[] {
  return readdirSync(root, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map((entry) => join(entry.parentPath, entry.name))
}
