import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { contentHash } from '../../src/core/cassette/content-hash.ts'
import type { Cassette, HttpInteraction } from '../../src/core/cassette/document.ts'
import { createCliProject, modelCall, recordedCassette } from './cli-project.ts'

const folder = 'cassettes/test/flights.test'
const testFile = `import { describe, test } from 'vitest'
describe('flights', () => {
  test('books > the cheapest', () => {})
  test('same', () => {})
  test('same', () => {})
})
`
const name = 'test/flights.test.ts > flights > books > the cheapest'
const place = `${folder}/flights__books-the-cheapest.json`

function flight(test: string, answer = '89 EUR'): Cassette {
  return recordedCassette(test, [modelCall('the cheapest', answer)])
}

test('a cassette goes to a test by its name, as the runner knows it, and is named after it; not another byte changes', async () => {
  const { run, project, putCassette, putPending } = createCliProject({ 'test/flights.test.ts': testFile })
  const old = `${folder}/flights__books-one.json`
  putCassette(old, flight('flights > books one'))
  putPending(old, flight('flights > books one', '98 EUR'))
  const before = project.read(old)
  expect(await run(['move', old, name])).toBe(`moved  ${old}  to ${place}\n--- exit code 0`)
  expect(project.cassettes()).toEqual(['test/flights.test/flights__books-the-cheapest.json'])
  expect(project.pending()).toEqual([`${place}`])
  expect(project.read(place)).toBe(before.replace('flights > books one', 'flights > books > the cheapest'))
  expect(await run(['show', name])).toContain('the cheapest')

  putCassette(old, flight('flights > books one'))
  expect(await run(['move', 'test/gone.test.ts > a test', name])).toContain(
    'No cassette is at test/gone.test.ts > a test',
  )
  putCassette('cassettes/test/gone.test/a-test.json', flight('a test'))
  expect(await run(['move', 'test/gone.test.ts > a test', 'test/flights.test.ts > flights > sa{...}'])).toContain(
    `moved  cassettes/test/gone.test/a-test.json  to ${folder}/flights__same.json`,
  )
  expect(await run(['move', old, 'test/flights.test.ts > flights > same'])).toContain(
    `moved  ${old}  to ${folder}/flights__same--2.json`,
  )
})

test('side files go with their cassette, and where one is torn nothing goes', async () => {
  const { run, project, putCassette } = createCliProject()
  const bytes = Buffer.from([0xff, 0xfe, 0, 1])
  const sideFile = `${contentHash(bytes)}.bin`
  const call = modelCall('draw', 'x') as HttpInteraction
  const body = { file: sideFile, sha256: contentHash(bytes), bytes: bytes.length }
  putCassette(
    'cassettes/a.json',
    recordedCassette('draws', [{ ...call, response: { status: 200, headers: [], body } }]),
  )
  const torn = await run(['move', 'cassettes/a.json', 'cassettes/deep/c.json'])
  expect(torn).toContain(`its side file ${sideFile} is missing`)
  expect(project.cassettes()).toEqual(['a.json'])
  mkdirSync(join(project.folder, 'cassettes/a.files'))
  writeFileSync(join(project.folder, 'cassettes/a.files', sideFile), bytes)
  expect(await run(['move', 'cassettes/a.json', 'cassettes/deep/c.json'])).toContain('exit code 0')
  expect(project.cassettes()).toEqual([`deep/c.files/${sideFile}`, 'deep/c.json'])
})

test('of a moved test file all cassettes go, or none', async () => {
  const { run, project, putCassette } = createCliProject({ 'test/flights.test.ts': testFile })
  putCassette('cassettes/old.test/one.json', flight('one'))
  putCassette('cassettes/old.test/two.json', flight('two'))
  putCassette(`${folder}/two.json`, flight('two'))
  expect(await run(['move', 'cassettes/old.test', folder])).toMatchInlineSnapshot(`
    "--- stderr
    A cassette is at cassettes/test/flights.test/two.json already [TURNTAPE_USAGE]

    Nothing was moved. Remove cassettes/test/flights.test/two.json first, if it is not wanted.
    --- exit code 2"
  `)
  expect(project.cassettes()).toHaveLength(3)
  putCassette('cassettes/new.test/none.json', flight('none'))
  expect(await run(['move', 'old.test.ts', 'cassettes/new.test'])).toMatchInlineSnapshot(`
    "moved  cassettes/old.test/one.json  to cassettes/new.test/one.json
    moved  cassettes/old.test/two.json  to cassettes/new.test/two.json
    2 cassettes moved
    --- exit code 0"
  `)
  putCassette('cassettes/old.test/three.json', flight('three'))
  expect(await run(['move', 'old.test.ts', 'test/flights.test.ts'])).toContain(`to ${folder}/three.json`)
  expect(project.cassettes()).toEqual([
    'new.test/none.json',
    'new.test/one.json',
    'new.test/two.json',
    'test/flights.test/three.json',
    'test/flights.test/two.json',
  ])
})

test('nothing is overwritten, and what cannot be meant is said', async () => {
  const { run, project, putCassette } = createCliProject({ 'test/flights.test.ts': testFile })
  putCassette(`${folder}/old.json`, flight('old'))
  putCassette(place, flight('flights > books > the cheapest', 'other'))
  const before = project.read(place)
  const outputs: string[] = []
  for (const args of [
    [],
    [`${folder}/old.json`, name],
    [`${folder}/old.json`, `${folder}/old.json`],
    [`${folder}/old.json`, '../elsewhere.json'],
    [`${folder}/old.json`, 'test/flights.test.ts > flights > books the cheapest'],
    [place, 'test/flights.test.ts > flights > same'],
    [`${folder}/old.json`, folder],
    [folder, 'elsewhere'],
    [folder, name],
  ]) {
    outputs.push(await run(['move', ...args]))
  }
  expect(outputs.join('\n')).toMatchInlineSnapshot(`
    "--- stderr
    move needs a cassette and where it goes [TURNTAPE_USAGE]

    See turntape move --help.
    --- exit code 2
    --- stderr
    A cassette is at cassettes/test/flights.test/flights__books-the-cheapest.json already [TURNTAPE_USAGE]

    Nothing was moved. Remove cassettes/test/flights.test/flights__books-the-cheapest.json first, if it
    is not wanted.
    --- exit code 2
    --- stderr
    cassettes/test/flights.test/old.json is there already [TURNTAPE_USAGE]

    Nothing is to be moved.
    --- exit code 2
    --- stderr
    ../elsewhere.json is outside of the project [TURNTAPE_USAGE]

    Paths are relative to the package root, where its package.json is.
    --- exit code 2
    --- stderr
    test/flights.test.ts has no test "flights > books the cheapest" [TURNTAPE_USAGE]

    Nearest: "test/flights.test.ts > flights > books > the cheapest".
    --- exit code 2
    --- stderr
    cassettes/test/flights.test/flights__books-the-cheapest.json belongs to "flights > books > the cheapest", which is still there [TURNTAPE_USAGE]

    Nothing was moved.
    --- exit code 2
    --- stderr
    cassettes/test/flights.test is no place for a cassette [TURNTAPE_USAGE]

    Give "<test file> > <test name>", or a path that ends in .json.
    --- exit code 2
    --- stderr
    elsewhere holds no cassettes [TURNTAPE_USAGE]

    Give a folder below cassettes/, or the test file itself.
    --- exit code 2
    --- stderr
    cassettes/test/flights.test is a folder of cassettes, test/flights.test.ts > flights > books > the cheapest is not [TURNTAPE_USAGE]

    Give a folder or a test file for both.
    --- exit code 2"
  `)
  expect(project.read(place)).toBe(before)
  expect(project.cassettes()).toHaveLength(2)
})
