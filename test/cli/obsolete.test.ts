import { expect, test } from 'vitest'
import { createJudge, type Situation, type TestFile } from '../../src/cli/obsolete.ts'

const files: readonly TestFile[] = [
  {
    file: 'test/a.test.ts',
    failed: false,
    tests: [['outer', 'one'], ['outer', 'one'], ['with > arrow'], ['Skipped!']],
  },
  { file: 'test/broken.test.ts', failed: true, tests: [] },
  { file: 'test/moved/b.test.ts', failed: false, tests: [['moves'], ['stays']] },
]

const situation: Situation = {
  files,
  testFileExists: (folder) => folder === 'cassettes/test/excluded.test',
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
  ['cassettes/test/excluded.test/one.json', 'one', 'kept: Vitest does not list its test file'],
  ['cassettes/_long/0123456789abcdef/one.json', 'one', 'kept: its folder does not tell its test file'],
])('%s of %s is %s', (path, name, expected) => {
  const verdict = createJudge(situation)({ path, test: name })
  expect('reason' in verdict ? `${verdict.kind}: ${verdict.reason}` : verdict.kind).toBe(expected)
})
