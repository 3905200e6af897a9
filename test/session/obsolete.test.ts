import { expect, test } from 'vitest'
import { createJudge, type Situation, type TestFile } from '../../src/session/run/obsolete.ts'

const files: readonly TestFile[] = [
  {
    file: 'test/a.test.ts',
    failed: false,
    tests: [['outer', 'one'], ['outer', 'one'], ['with > arrow'], ['Skipped!'], ['plain']],
  },
  { file: 'test/twin.test.ts', failed: false, tests: [['of a twin']] },
  { file: 'test/data.test.ts', failed: false, tests: [['of data']] },
  { file: 'test/broken.test.ts', failed: true, tests: [] },
  { file: 'test/moved/b.test.ts', failed: false, tests: [['moves'], ['stays']] },
]

const situation: Situation = {
  files,
  whole: true,
  opened: new Set(['cassettes/shared/opened.json']),
  unasked: new Set(['cassettes/test/a.test/plain.json']),
  testFilesOf: (folder) =>
    ({
      'cassettes/test/excluded.test': ['test/excluded.test.ts'],
      'cassettes/test/twin.test': ['test/twin.test.ts', 'test/twin.test.js', 'test/twin.test.snap'],
      'cassettes/test/data.test': ['test/data.test.ts', 'test/data.test.json'],
    })[folder] ?? [],
  cassetteExists: (path) => path === 'cassettes/test/moved/b.test/stays.json',
}

test.each([
  ['cassettes/test/a.test/outer__one.json', 'outer > one', 'in use'],
  ['cassettes/test/a.test/outer__one--2.json', 'outer > one', 'in use'],
  ['cassettes/test/a.test/with-arrow.json', 'with > arrow', 'in use'],
  ['cassettes/test/a.test/skipped.json', undefined, 'in use'],
  ['cassettes/test/a.test/gone.json', 'gone', 'obsolete: its test is gone from test/a.test.ts'],
  ['cassettes/test/a.test/outer__gone.json', 'outer > gone', 'obsolete: its test is gone from test/a.test.ts'],
  ['cassettes/test/a.test/gone--3.json', 'gone', 'obsolete: its test is gone from test/a.test.ts'],
  ['cassettes/test/gone.test/one.json', 'one', 'obsolete: its test file is gone'],
  ['cassettes/test/b.test/stays.json', 'stays', 'obsolete: its test file is gone'],
  [
    'cassettes/test/b.test/moves.json',
    'moves',
    'kept: test/moved/b.test.ts has a test of that name without a cassette: was it moved?',
  ],
  [
    'cassettes/test/a.test/outer__one--3.json',
    'outer > one',
    'kept: its test is still in test/a.test.ts, with another path',
  ],
  ['cassettes/test/a.test/shared.json', 'logs in', 'kept: its path was not made from its test'],
  ['cassettes/shared/login.json', 'logs in', 'kept: its path was not made from its test'],
  ['cassettes/test/a.test/broken.json', undefined, 'kept: it cannot be read: see turntape check'],
  ['cassettes/test/broken.test/one.json', 'one', 'kept: test/broken.test.ts could not be collected'],
  ['cassettes/test/excluded.test/one.json', 'one', 'kept: the runner does not list its test file'],
  ['cassettes/_long/0123456789abcdef/one.json', 'one', 'kept: its folder does not tell its test file'],
  ['cassettes/shared/opened.json', 'logs in', 'in use'],
  [
    'cassettes/test/a.test/plain.json',
    'plain',
    'obsolete: its test passed and made no use of it, it is not covered: delete it, or -u on a full run',
  ],
  ['cassettes/test/twin.test/gone.json', 'gone', 'obsolete: its test is gone from test/twin.test.ts'],
])('SN-05 %s of %s is %s', (path, name, expected) => {
  expect(verdictOf(situation, path, name)).toBe(expected)
})

test.each([
  ['cassettes/test/a.test/gone.json', 'gone', 'obsolete: its test is gone from test/a.test.ts'],
  ['cassettes/test/gone.test/one.json', 'one', 'kept: its test file was not run'],
  ['cassettes/test/twin.test/gone.json', 'gone', 'kept: test/twin.test.js was not run'],
  ['cassettes/test/data.test/gone.json', 'gone', 'obsolete: its test is gone from test/data.test.ts'],
])('where only some test files were run, %s of %s is %s', (path, name, expected) => {
  expect(verdictOf({ ...situation, whole: false }, path, name)).toBe(expected)
})

function verdictOf(of: Situation, path: string, name: string | undefined): string {
  const verdict = createJudge(of)({ path, test: () => name })
  return 'reason' in verdict ? `${verdict.kind}: ${verdict.reason}` : verdict.kind
}
