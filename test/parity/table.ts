/**
 * What becomes of a snapshot and of a cassette in each situation, in the same run of the same project: in Vitest 4.1, in
 * Jest 30, and here. `docs/snapshot-parity.md` is made from it; each cell is a test, in both runners.
 */
import type { Edit } from './parity-project.ts'

/** In the order in which a cell names them. */
export const facts = {
  passes: 'the test passes',
  fails: 'the test fails',
  'not run': 'the test was not run, or is not there any more',
  written: 'there was none before, now there is one',
  'written by a failed attempt': 'and what it says comes from an attempt that failed',
  updated: 'it says something else than before',
  kept: 'it is as it was, byte for byte',
  removed: 'it is gone from the disk',
  'nothing written': 'there was none before, and there is none now',
  pending: 'what was recorded is kept aside, and not committed',
  'move offered': 'the message names the recording of the old name or place, and the command that moves it',
  told: 'that an attempt before the last one diverged is said at the end of the run',
  obsolete: 'it is listed as belonging to no test',
  'run red': 'the run fails by that, whatever its tests did',
  live: 'the model was called',
} as const

export type Fact = keyof typeof facts

interface Situation {
  readonly says: string
  /** The test file; `edits` where none is given. */
  readonly file?: string
  /** The name of the twins, where it is another than the situation's own. */
  readonly test?: string
  /** What is said to the model, where it does not begin with the name of the test. */
  readonly asks?: string
  /** One test with both, instead of twins. */
  readonly both?: true
}

const situationList = {
  unchanged: { says: 'says what is stored' },
  new: { says: 'a new test' },
  changed: { says: 'says something else' },
  'one more': { says: 'says what is stored, and one thing more' },
  'one fewer': { says: 'says the first of two things' },
  'none any more': { says: 'says nothing any more' },
  reordered: { says: 'says two things the other way round' },
  fails: { says: 'says what is stored, then fails by itself' },
  'fails early': { says: 'fails before it says anything' },
  'changed and fails': { says: 'says something else, then fails by itself' },
  'new and fails': { says: 'a new test that fails by itself' },
  deleted: { says: 'a test that was deleted' },
  'in a deleted file': { says: 'a test whose file was deleted', file: 'removed' },
  'old name': { says: 'a renamed test, under its old name' },
  'new name': { says: 'a renamed test, under its new name', asks: 'renamed' },
  'old place': { says: 'a moved test file, at its old place', file: 'old-place', test: 'moved', asks: 'nothing' },
  'new place': { says: 'a moved test file, at its new place', file: 'new-place', test: 'moved' },
  'equal names': { says: 'a second test of the same name' },
  concurrent: { says: 'concurrent tests that say what is stored' },
  overlapping: { says: 'new concurrent tests' },
  'changed at first': { says: 'retried: the first attempt says something else', file: 'retried' },
  'fails at first': { says: 'retried: the first attempt fails by itself', file: 'retried' },
  'new, fails at first': { says: 'retried, new: the first attempt fails by itself', file: 'retried' },
  skipped: { says: 'skipped', file: 'skipped' },
  'deleted beside a skipped one': { says: 'deleted from a file with a skipped test', file: 'skipped' },
  'left out': { says: 'left out by `.only`', file: 'only' },
  'deleted beside only': { says: 'deleted from a file with `.only`', file: 'only' },
  'in a broken file': { says: 'in a file that cannot be collected', file: 'broken' },
  'both, new': { says: 'new, with both: a snapshot of the answer', asks: 'both new', both: true },
  'both, changed': { says: 'with both: asks something else', asks: 'both changed', both: true },
  'both, another answer': { says: 'with both: reads the answer otherwise', asks: 'both answered', both: true },
} as const satisfies Record<string, Situation>

export type SituationName = keyof typeof situationList
export const situations: Readonly<Record<SituationName, Situation>> = situationList

export interface Row {
  readonly of: SituationName
  /** Facts, joined with a comma and a blank, as all cells. */
  readonly snapshot: { readonly vitest: string; readonly jest: string }
  readonly cassette: string
  /** Why not all three do the same; may say more where they do. */
  readonly why?: string
}

type Written = readonly [of: SituationName, snapshot: string | Row['snapshot'], cassette: string, why?: string]

const rowsOf = (...rows: readonly Written[]): readonly Row[] =>
  rows.map(([of, snapshot, cassette, why]) => ({
    of,
    snapshot: typeof snapshot === 'string' ? { vitest: snapshot, jest: snapshot } : snapshot,
    cassette,
    ...(why === undefined ? {} : { why }),
  }))

export interface Run {
  readonly title: string
  readonly edits: readonly Edit[]
  readonly args?: readonly string[]
  /** The one test file that is run. */
  readonly file?: string
  readonly env?: Readonly<Record<string, string>>
  readonly rows: readonly Row[]
}

const skippedFault =
  'a fault of Vitest 4.1: one skipped test keeps the snapshots of other tests of its file from being found obsolete'
const deletedFile = 'Vitest does not look for snapshot files without a test file'
const notReached = 'Vitest counts what a failed test did not reach as obsolete'
const callMore =
  'a call more is another behaviour of the agent; adding it would cost money unasked, and its answer would stand on recorded ones'
const callFewer = 'an agent that stops early is to be seen; a snapshot that nobody takes has no such meaning'
const paidFirst = 'nothing is paid for again before it is known whether it was renamed'
const onlyPassed = 'what is committed has passed; what was paid for is not lost'
const notInCi = '`-u` in CI may rewrite text, but never spends money; the report says so'
const picked = 'only a full run removes: what was picked does not show what is in use'
const others = 'a run of some files speaks of these files'
const everything = ['EDITED', 'GONE', 'FAILS', 'ONLY', 'BROKEN'] as const

const runList = {
  local: {
    title: 'A local run',
    edits: everything,
    rows: rowsOf(
      ['unchanged', 'passes, kept', 'passes, kept'],
      ['new', 'passes, written', 'passes, written, live'],
      ['changed', 'fails, kept', 'fails, kept'],
      ['one more', 'passes, updated', 'fails, kept', callMore],
      ['one fewer', 'passes, kept, obsolete', 'fails, kept', callFewer],
      ['none any more', 'passes, kept, obsolete', 'fails, kept', callFewer],
      ['reordered', { vitest: 'fails, kept, obsolete', jest: 'fails, kept' }, 'fails, kept', notReached],
      ['fails', 'fails, kept', 'fails, kept'],
      ['fails early', { vitest: 'fails, kept, obsolete', jest: 'fails, kept' }, 'fails, kept', notReached],
      ['changed and fails', 'fails, kept', 'fails, kept'],
      ['new and fails', 'fails, written', 'fails, nothing written, pending, live', onlyPassed],
      ['deleted', 'not run, kept, obsolete', 'not run, kept, obsolete'],
      [
        'in a deleted file',
        { vitest: 'not run, kept', jest: 'not run, kept, obsolete' },
        'not run, kept, obsolete',
        deletedFile,
      ],
      ['old name', 'not run, kept, obsolete', 'not run, kept, obsolete'],
      ['new name', 'passes, written', 'fails, nothing written, move offered', paidFirst],
      [
        'old place',
        { vitest: 'not run, kept', jest: 'not run, kept, obsolete' },
        'not run, kept',
        'a test of that name is elsewhere without a cassette: it is taken for moved, not for gone',
      ],
      ['new place', 'passes, written', 'fails, nothing written, move offered', paidFirst],
      ['equal names', 'passes, updated', 'passes, updated, live', 'snapshots count on, cassettes get a number each'],
      ['concurrent', 'passes, kept', 'passes, kept', 'Vitest wants the `expect` of the test; here nothing is needed'],
      ['overlapping', 'passes, written', 'passes, written, live'],
      [
        'changed at first',
        'passes, kept',
        'passes, kept, told',
        'the runner shows nothing of an attempt before one that passed',
      ],
      ['fails at first', 'passes, kept', 'passes, kept'],
      ['new, fails at first', 'passes, written', 'passes, written, live', 'by the attempt that passed'],
      ['skipped', 'not run, kept', 'not run, kept'],
      [
        'deleted beside a skipped one',
        { vitest: 'not run, kept', jest: 'not run, kept, obsolete' },
        'not run, kept, obsolete',
        skippedFault,
      ],
      ['left out', 'not run, kept', 'not run, kept'],
      [
        'deleted beside only',
        { vitest: 'not run, kept', jest: 'not run, kept, obsolete' },
        'not run, kept, obsolete',
        skippedFault,
      ],
      ['in a broken file', 'not run, kept', 'not run, kept'],
      ['both, new', 'passes, written', 'passes, written, live'],
      ['both, changed', { vitest: 'fails, kept, obsolete', jest: 'fails, kept' }, 'fails, kept', notReached],
      ['both, another answer', 'fails, kept', 'fails, kept'],
    ),
  },
  ci: {
    title: 'In CI',
    edits: everything,
    env: { CI: '1' },
    rows: rowsOf(
      ['unchanged', 'passes, kept', 'passes, kept'],
      ['new', 'fails, nothing written', 'fails, nothing written'],
      ['changed', 'fails, kept', 'fails, kept'],
      ['one more', 'fails, kept', 'fails, kept'],
      ['one fewer', 'passes, kept, obsolete', 'fails, kept', callFewer],
      ['none any more', 'passes, kept, obsolete', 'fails, kept', callFewer],
      ['fails', 'fails, kept', 'fails, kept'],
      ['new and fails', 'fails, nothing written', 'fails, nothing written'],
      ['new name', 'fails, nothing written', 'fails, nothing written, move offered'],
      ['new place', 'fails, nothing written', 'fails, nothing written, move offered'],
      ['equal names', 'fails, kept', 'fails, kept'],
      ['concurrent', 'passes, kept', 'passes, kept'],
      ['overlapping', 'fails, nothing written', 'fails, nothing written'],
      ['changed at first', 'passes, kept', 'passes, kept, told'],
      ['new, fails at first', 'fails, nothing written', 'fails, nothing written'],
      ['skipped', 'not run, kept', 'not run, kept'],
      ['left out', 'not run, kept', 'not run, kept'],
      ['in a broken file', 'not run, kept', 'not run, kept'],
      ['both, new', 'fails, nothing written', 'fails, nothing written'],
      ['both, another answer', 'fails, kept', 'fails, kept'],
    ),
  },
  gone: {
    title: 'In CI, where every test passes',
    edits: ['GONE'],
    env: { CI: '1' },
    rows: rowsOf(
      ['unchanged', 'passes, kept', 'passes, kept'],
      [
        'deleted',
        { vitest: 'not run, kept, obsolete, run red', jest: 'not run, kept, obsolete' },
        'not run, kept, obsolete, run red',
        "as in Vitest; `obsolete: 'warn'` makes it as in Jest",
      ],
      [
        'in a deleted file',
        { vitest: 'not run, kept', jest: 'not run, kept, obsolete' },
        'not run, kept, obsolete, run red',
        deletedFile,
      ],
      [
        'deleted beside a skipped one',
        { vitest: 'not run, kept', jest: 'not run, kept, obsolete' },
        'not run, kept, obsolete, run red',
        skippedFault,
      ],
    ),
  },
  update: {
    title: '`-u`, where every test passes',
    edits: ['EDITED', 'GONE'],
    args: ['-u'],
    rows: rowsOf(
      ['unchanged', 'passes, kept', 'passes, kept'],
      ['new', 'passes, written', 'passes, written, live'],
      ['changed', 'passes, updated', 'passes, updated, live'],
      ['one more', 'passes, updated', 'passes, updated, live'],
      ['one fewer', 'passes, updated', 'passes, updated'],
      ['none any more', 'passes, removed', 'passes, removed'],
      ['reordered', 'passes, updated', 'passes, updated, live'],
      ['deleted', 'not run, removed', 'not run, removed'],
      ['in a deleted file', { vitest: 'not run, kept', jest: 'not run, removed' }, 'not run, removed', deletedFile],
      ['old name', 'not run, removed', 'not run, removed'],
      [
        'new name',
        'passes, written',
        'passes, written, live',
        '`-u` does not ask: `turntape move` before it saves the call',
      ],
      ['old place', { vitest: 'not run, kept', jest: 'not run, removed' }, 'not run, removed', deletedFile],
      ['new place', 'passes, written', 'passes, written, live'],
      ['equal names', 'passes, updated', 'passes, updated, live'],
      ['concurrent', 'passes, kept', 'passes, kept'],
      ['overlapping', 'passes, written', 'passes, written, live'],
      ['skipped', 'not run, kept', 'not run, kept'],
      [
        'deleted beside a skipped one',
        { vitest: 'not run, kept', jest: 'not run, removed' },
        'not run, removed',
        skippedFault,
      ],
      ['both, new', 'passes, written', 'passes, written, live'],
      ['both, changed', 'passes, updated', 'passes, updated, live'],
      [
        'both, another answer',
        'passes, updated',
        'passes, kept',
        'what is asked is unchanged: the snapshot is renewed from the recorded answer, for nothing',
      ],
    ),
  },
  updateFailing: {
    title: '`-u`, where some tests fail by themselves',
    edits: ['EDITED', 'GONE', 'FAILS'],
    args: ['-u'],
    rows: rowsOf(
      ['changed', 'passes, updated', 'passes, updated, live'],
      ['fails', 'fails, kept', 'fails, kept'],
      [
        'fails early',
        { vitest: 'fails, removed', jest: 'fails, kept' },
        'fails, kept',
        `${notReached}, and removes it: a failed test says nothing of what it would have asked`,
      ],
      ['changed and fails', 'fails, updated', 'fails, kept, pending, live', onlyPassed],
      ['new and fails', 'fails, written', 'fails, nothing written, pending, live', onlyPassed],
      [
        'changed at first',
        'passes, updated',
        'passes, updated, live',
        'the first attempt passes, and is what is stored',
      ],
      ['new, fails at first', 'passes, written', 'passes, written, live', 'by the attempt that passed'],
      [
        'deleted',
        'not run, removed',
        'not run, kept, obsolete',
        'a recording cannot be made again for nothing; it goes once the run is clean',
      ],
      [
        'in a deleted file',
        { vitest: 'not run, kept', jest: 'not run, removed' },
        'not run, kept, obsolete',
        'a recording cannot be made again for nothing; it goes once the run is clean',
      ],
    ),
  },
  ciUpdate: {
    title: '`-u` in CI',
    edits: ['EDITED', 'GONE'],
    args: ['-u'],
    env: { CI: '1' },
    rows: rowsOf(
      ['unchanged', 'passes, kept', 'passes, kept'],
      ['new', 'passes, written', 'fails, nothing written', notInCi],
      ['changed', 'passes, updated', 'fails, kept', notInCi],
      ['one fewer', 'passes, updated', 'fails, kept', notInCi],
      ['deleted', 'not run, removed', 'not run, kept, obsolete, run red', notInCi],
      ['new name', 'passes, written', 'fails, nothing written, move offered', notInCi],
      ['both, another answer', 'passes, updated', 'passes, kept', 'the snapshot alone is touched'],
    ),
  },
  name: {
    title: 'Tests picked by name (`-t`)',
    edits: ['GONE'],
    args: ['-t', 'unchanged'],
    rows: rowsOf(
      ['unchanged', 'passes, kept', 'passes, kept'],
      ['changed', 'not run, kept', 'not run, kept'],
      [
        'deleted',
        { vitest: 'not run, kept', jest: 'not run, kept, obsolete' },
        'not run, kept, obsolete',
        `the names of tests that do not run are known; in Vitest they are skipped tests (${skippedFault})`,
      ],
      [
        'in a deleted file',
        { vitest: 'not run, kept', jest: 'not run, kept, obsolete' },
        'not run, kept, obsolete',
        deletedFile,
      ],
    ),
  },
  nameUpdate: {
    title: '`-u` with tests picked by name (`-t`)',
    edits: ['EDITED', 'GONE'],
    args: ['-u', '-t', 'unchanged'],
    rows: rowsOf(
      ['unchanged', 'passes, kept', 'passes, kept'],
      ['changed', 'not run, kept', 'not run, kept'],
      ['new', 'not run, nothing written', 'not run, nothing written'],
      ['deleted', { vitest: 'not run, kept', jest: 'not run, removed' }, 'not run, kept, obsolete', picked],
      ['in a deleted file', { vitest: 'not run, kept', jest: 'not run, removed' }, 'not run, kept, obsolete', picked],
      [
        'old place',
        { vitest: 'not run, kept', jest: 'not run, removed' },
        'not run, kept',
        'Jest removes what the moved test has not written anew yet; here it waits for it',
      ],
    ),
  },
  file: {
    title: 'One test file',
    edits: ['GONE'],
    file: 'test/edits.test.js',
    rows: rowsOf(
      ['deleted', 'not run, kept, obsolete', 'not run, kept, obsolete'],
      ['deleted beside only', 'not run, kept', 'not run, kept', others],
      ['in a deleted file', { vitest: 'not run, kept', jest: 'not run, kept, obsolete' }, 'not run, kept', others],
    ),
  },
  fileUpdate: {
    title: '`-u` with one test file',
    edits: ['EDITED', 'GONE'],
    args: ['-u'],
    file: 'test/edits.test.js',
    rows: rowsOf(
      ['changed', 'passes, updated', 'passes, updated, live'],
      ['new', 'passes, written', 'passes, written, live'],
      ['deleted', 'not run, removed', 'not run, kept, obsolete', picked],
      ['deleted beside only', 'not run, kept', 'not run, kept', others],
      ['in a deleted file', { vitest: 'not run, kept', jest: 'not run, removed' }, 'not run, kept', others],
    ),
  },
} as const satisfies Record<string, Run>

export type RunName = keyof typeof runList
export const runs: Readonly<Record<RunName, Run>> = runList
export const runNames = Object.keys(runList) as readonly RunName[]
