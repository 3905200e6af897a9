/** What holds of the parity table itself. */
import { expect, test } from 'vitest'
import { facts, type Row, runNames, runs, situations } from './table.ts'

const rows = runNames.flatMap((name) => runs[name].rows.map((row) => ({ ...row, run: runs[name].title })))

/** What only a cassette has. */
const ownFacts = ['pending', 'move offered', 'told', 'live']

function isAlike({ snapshot, cassette }: Row): boolean {
  const shared = cassette.split(', ').filter((fact) => !ownFacts.includes(fact))
  return snapshot.vitest === snapshot.jest && snapshot.vitest === shared.join(', ')
}

test('says why wherever a cassette does otherwise than the snapshots of both runners', () => {
  const silent = rows.filter((row) => !isAlike(row) && row.why === undefined)
  expect(silent.map(({ run, of }) => `${run}: ${of}`)).toEqual([])
})

test('uses every situation, each once a run, and every fact but one that must not be', () => {
  const named = new Set(rows.map(({ of }) => of))
  expect(Object.keys(situations).filter((name) => !named.has(name as Row['of']))).toEqual([])
  for (const name of runNames) {
    const ofRun = runs[name].rows.map(({ of }) => of)
    expect(new Set(ofRun).size, name).toBe(ofRun.length)
  }
  const cells = rows.flatMap(({ snapshot, cassette }) => [snapshot.vitest, snapshot.jest, cassette])
  const used = new Set(cells.flatMap((cell) => cell.split(', ')))
  expect([...used].filter((fact) => !(fact in facts))).toEqual([])
  expect(Object.keys(facts).filter((fact) => !used.has(fact))).toEqual(['written by a failed attempt'])
})
