import { expect, test } from 'vitest'
import { writeCassette } from '../../src/core/cassette/write-cassette.ts'
import { hostileFiles } from '../cassette/hostile-files.ts'
import { readFormatBytes } from '../formats/format-files.ts'
import { createCliProject, modelCall, recordedCassette } from './cli-project.ts'

// Older versions are in `test/formats/older-version.test.ts`: none was released.
test('F18 migrate says that there is nothing to do, names what it cannot read, and changes no file', async () => {
  const { run, project, putCassette } = createCliProject()
  const good = recordedCassette('a good one', [modelCall('hello', 'hi')])
  expect(await run(['migrate'])).toBe('nothing to migrate: 0 cassettes in turntape/1\n--- exit code 0')
  putCassette('cassettes/a.test/good.json', good)
  expect(await run(['migrate'])).toBe('nothing to migrate: 1 cassette in turntape/1\n--- exit code 0')
  const unreleased = writeCassette(good).replace('turntape/1', 'turntape/0')
  project.write({ 'cassettes/a.test/unreleased.json': unreleased })
  expect(await run(['migrate'])).toMatchInlineSnapshot(`
    "0 cassettes migrated to turntape/1, 1 in it already, 1 not read
    --- stderr
    Not a valid cassette: cassettes/a.test/unreleased.json:2:13 [TURNTAPE_CASSETTE_INVALID]

    cassette    cassettes/a.test/unreleased.json
    place       line 2, column 13
    pointer     /format
    reason      its format turntape/0 was never released, the first that was is turntape/1

    --- exit code 1"
  `)
  expect(project.read('cassettes/a.test/unreleased.json')).toBe(unreleased)
  expect(project.read('cassettes/a.test/good.json')).toBe(writeCassette(good))
  expect(await run(['migrate', 'cassettes/nowhere.json'])).toContain('--- exit code 2')
})

test('F13 an edit of a request that others are told by is named for each, and hashed again by check --fix', async () => {
  const { run, project } = createCliProject()
  const path = 'cassettes/a.test/conversation.json'
  const text = readFormatBytes('v1/valid/conversation.json').toString('utf8')
  project.write({ [path]: text.replace('"temperature": 0.2', '"temperature": 0.7') })
  expect(await run(['check', path])).toMatchInlineSnapshot(`
    "cassettes/a.test/conversation.json  TURNTAPE_CASSETTE_EDITED  the request of interaction 1 was edited: its hash is 3f47ad1a, computed 55e1a1da
    cassettes/a.test/conversation.json  TURNTAPE_CASSETTE_EDITED  the request of interaction 3 was edited: its hash is fcc960cf, computed db1e0bff

      If the edit is meant: npx turntape check --fix "cassettes/a.test/conversation.json"

    1 cassette checked, 2 findings
    --- exit code 1"
  `)
  expect(await run(['check', path, '--fix'])).toMatchInlineSnapshot(`
    "cassettes/a.test/conversation.json  hashed again and marked as derived (edited)
    1 cassette checked, nothing found
    --- exit code 0"
  `)
  const fixed = project.read(path)
  expect(fixed).toContain('"provenance": { "kind": "derived", "reason": "edited" }')
  const linesBefore = text.split('\n')
  const changed = fixed.split('\n').filter((line, index) => line !== linesBefore[index])
  expect(changed.map((line) => line.trim().split(':')[0])).toEqual([
    '"provenance"',
    '"hash"',
    '"temperature"',
    '"hash"',
  ])
  expect(await run(['check', path])).toContain('nothing found')
})

test('F20 check and show refuse small files that would be huge ones, with little memory', async () => {
  const { run, project } = createCliProject()
  const names = Object.keys(hostileFiles)
  for (const [index, { text }] of Object.values(hostileFiles).entries())
    project.write({ [`cassettes/a.test/${index}.json`]: text })
  const env = { NODE_OPTIONS: '--max-old-space-size=700' }
  const checked = await run(['check'], { env })
  expect(checked).toContain(`${names.length} cassettes checked, ${names.length} findings`)
  expect(checked).toContain('--- exit code 1')
  for (const name of ['a run that repeats eight kilobytes', 'values that double', 'a billion empty chunks']) {
    const shown = await run(['show', `cassettes/a.test/${names.indexOf(name)}.json`], { env })
    expect([name, shown]).toEqual([name, expect.stringContaining('[TURNTAPE_CAP_EXCEEDED]')])
    expect(shown).toContain('--- exit code 1')
  }
})
