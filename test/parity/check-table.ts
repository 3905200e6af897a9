/** One test for each cell of the table, in one runner. */
import { beforeAll, describe, expect, test } from 'vitest'
import { type Model, startModel } from '../life/model.ts'
import type { Runner } from '../runners/runner-project.ts'
import { type Observed, observeAll } from './observe.ts'
import { type Row, type RunName, runNames, runs, situations } from './table.ts'

/** All runs of one runner, on a machine that does other things as well. */
const timeoutMs = 300_000

export function checkTable(runner: Runner): void {
  let observed: ReadonlyMap<RunName, Observed>
  beforeAll(async () => {
    const model: Model = await startModel()
    observed = await observeAll(runner, model)
  }, timeoutMs)

  const seen = (name: RunName): Observed => {
    const found = observed.get(name)
    if (found === undefined) throw new Error(`${name} was not run`)
    return found
  }

  describe.for(runNames.map((name) => ({ name, ...runs[name] })))('$title', ({ name, rows }) => {
    test.for(rows.map((row) => ({ ...row, says: situations[row.of].says })))('$says: the snapshot', (row) => {
      const { snapshot, output } = seen(name)
      expect(snapshot(twinOf(row, 'snapshot')).join(', '), output).toBe(row.snapshot[runner.name])
    })
    test.for(rows.map((row) => ({ ...row, says: situations[row.of].says })))('$says: the cassette', (row) => {
      const { cassette, output } = seen(name)
      const { test: named = row.of, asks = named } = situations[row.of]
      expect(cassette(twinOf(row, 'cassette'), asks).join(', '), output).toBe(row.cassette)
    })
  })
}

function twinOf({ of }: Row, kind: 'snapshot' | 'cassette'): { readonly test: string; readonly file: string } {
  const { test: named = of, file = 'edits', both } = situations[of]
  return { test: both === true ? named : `${named} (${kind})`, file }
}
