import { expect, test } from 'vitest'
import { createCliProject, modelCall, recordedCassette } from './cli-project.ts'

const files = {
  'test/a.test.ts': `import { describe, test } from 'vitest'
console.log('noise')
describe('outer', () => {
  test('stays', () => {})
  test.skip('is skipped', () => {})
  test.todo('is to do')
})
test.only('is the only one', () => {})
`,
  'test/broken.test.ts': 'throw new Error("cannot be collected")\n',
  'test/elsewhere.ts': '',
}

test('removes what belongs to no test, and only that', async () => {
  const { run, project, putCassette, putPending } = createCliProject(files)
  const put = (path: string, name: string) => putCassette(path, recordedCassette(name, [modelCall('a', 'b')]))
  put('cassettes/test/a.test/outer__stays.json', 'outer > stays')
  put('cassettes/test/a.test/outer__is-skipped.json', 'outer > is skipped')
  put('cassettes/test/a.test/outer__is-to-do.json', 'outer > is to do')
  put('cassettes/test/a.test/is-the-only-one.json', 'is the only one')
  put('cassettes/test/a.test/outer__was-renamed.json', 'outer > was renamed')
  put('cassettes/test/broken.test/one.json', 'one')
  put('cassettes/test/elsewhere/one.json', 'one')
  put('cassettes/test/gone.test/one.json', 'one')
  put('cassettes/shared/login.json', 'logs in')
  project.write({ [`cassettes/test/gone.test/one.files/${'a'.repeat(64)}.bin`]: 'x' })
  putPending(
    'cassettes/test/a.test/outer__was-renamed.json',
    recordedCassette('outer > was renamed', [modelCall('a', 'b')]),
  )
  putPending('cassettes/test/a.test/outer__stays.json', recordedCassette('outer > stays', [modelCall('a', 'b')]))
  const before = project.cassettes()

  expect(await run(['prune', '--dry-run'])).toMatchInlineSnapshot(`
    "kept          cassettes/shared/login.json  its path was not made from its test
    would remove  cassettes/test/a.test/outer__was-renamed.json  its test is gone from test/a.test.ts
    kept          cassettes/test/broken.test/one.json  test/broken.test.ts could not be collected
    kept          cassettes/test/elsewhere/one.json  the runner does not list its test file
    would remove  cassettes/test/gone.test/one.json  its test file is gone
    2 to remove, 3 kept in doubt, 4 in use
    --- exit code 1"
  `)
  expect(project.cassettes()).toEqual(before)

  expect(await run(['prune'])).toMatchInlineSnapshot(`
    "kept     cassettes/shared/login.json  its path was not made from its test
    removed  cassettes/test/a.test/outer__was-renamed.json  its test is gone from test/a.test.ts
    kept     cassettes/test/broken.test/one.json  test/broken.test.ts could not be collected
    kept     cassettes/test/elsewhere/one.json  the runner does not list its test file
    removed  cassettes/test/gone.test/one.json  its test file is gone
    2 removed, 3 kept in doubt, 4 in use
    --- exit code 0"
  `)
  expect(project.cassettes()).toEqual(before.filter((path) => !/was-renamed|gone/.test(path)))
  expect(project.has('cassettes/test/gone.test')).toBe(false)
  expect(project.pending()).toEqual(['cassettes/test/a.test/outer__stays.json'])
})

test('removes nothing where Vitest cannot collect', async () => {
  const { run, project, putCassette } = createCliProject({ 'vitest.config.ts': 'throw new Error("no configuration")' })
  putCassette('cassettes/gone.test/one.json', recordedCassette('one', [modelCall('a', 'b')]))
  expect(await run(['prune'])).toMatchInlineSnapshot(`
    "--- stderr
    Vitest could not collect the tests, nothing was done [TURNTAPE_USAGE]

    Run npx vitest list to see why.
    --- exit code 2"
  `)
  expect(project.cassettes()).toEqual(['gone.test/one.json'])
})

test('asks no runner where there is nothing to remove', async () => {
  const { run } = createCliProject({ 'vitest.config.ts': 'throw new Error("no configuration")' })
  expect(await run(['prune'])).toBe('0 removed, 0 kept in doubt, 0 in use\n--- exit code 0')
})
