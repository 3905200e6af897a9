import { createHash } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import type { HttpInteraction } from '../../src/core/cassette/document.ts'
import { writeCassette } from '../../src/core/cassette/write-cassette.ts'
import { createCliProject, modelCall, recordedCassette } from './cli-project.ts'

const good = recordedCassette('a good one', [modelCall('hello', 'hi'), modelCall('and now', 'bye')])
const secret = 'correct-horse-battery-staple-99'
const png = Buffer.from('89504e470d0a1a0a', 'hex')
const pngHash = createHash('sha256').update(png).digest('hex')

function withSideFile(bytes = png.byteLength) {
  const call = modelCall('draw', '') as HttpInteraction
  const body = { file: `${pngHash}.png`, sha256: pngHash, bytes }
  return recordedCassette('draws', [{ ...call, response: { status: 200, headers: [], body } }])
}

test('F13, F19, F20 every kind of fault is one line with its place, then what to do, exit code 1', async () => {
  const { run, project, putCassette } = createCliProject()
  const text = writeCassette(good)
  const write = (name: string, content: string) => project.write({ [`cassettes/a.test/${name}.json`]: content })
  putCassette('cassettes/a.test/good.json', good)
  write('conflict', text.replace('  "test"', '<<<<<<< HEAD\n  "test"'))
  write('duplicate', text.replace('  "test"', '  "format": "turntape/1",\n  "test"'))
  write('edited', text.replace('and now', 'and later'))
  write('newer', text.replace('turntape/1', 'turntape/9'))
  write('truncated', text.slice(0, -200))
  write('wrong-type', text.replace('"number": 2', '"number": "2"'))
  write('secret', writeCassette(recordedCassette('tells', [modelCall(`use ${secret}`, 'hi')])))
  putCassette('cassettes/a.test/missing-side-file.json', withSideFile())
  putCassette('cassettes/a.test/altered-side-file.json', withSideFile())
  project.write({ [`cassettes/a.test/altered-side-file.files/${pngHash}.png`]: 'altered!' })
  putCassette('cassettes/a.test/large.json', withSideFile(17_000_000))
  expect(await run(['check'], { env: { BOOKING_TOKEN: secret } })).toMatchInlineSnapshot(`
    "cassettes/a.test/altered-side-file.json  TURNTAPE_CASSETTE_INVALID  its side file 4c4b6a3be1314ab86138bef4314dde022e600960d8689a2c8f8631802d20dab6.png was altered
    cassettes/a.test/conflict.json:3:1  TURNTAPE_CASSETTE_INVALID  it holds a git conflict marker
    cassettes/a.test/duplicate.json:3:3  TURNTAPE_CASSETTE_INVALID  /format: the name "format" stands twice in one object
    cassettes/a.test/edited.json  TURNTAPE_CASSETTE_EDITED  the request of interaction 2 was edited: its hash is 4608c43c, computed 001e635e
    cassettes/a.test/large.json  TURNTAPE_CAP_EXCEEDED  maxBodyBytes is exceeded: 17000000 found, 16777216 allowed
    cassettes/a.test/missing-side-file.json  TURNTAPE_CASSETTE_INVALID  its side file 4c4b6a3be1314ab86138bef4314dde022e600960d8689a2c8f8631802d20dab6.png is missing
    cassettes/a.test/newer.json  TURNTAPE_CASSETTE_TOO_NEW  its format is turntape/9, this turntape reads up to turntape/1
    cassettes/a.test/secret.json  TURNTAPE_SECRET_FOUND  interaction 1, request body /messages/0/content holds the value of BOOKING_TOKEN
    cassettes/a.test/truncated.json:51:56  TURNTAPE_CASSETTE_INVALID  the file ends in the middle: it is truncated
    cassettes/a.test/wrong-type.json:34:17  TURNTAPE_CASSETTE_INVALID  /interactions/1/number: it must be a whole number, zero or more, found "2"

      Take your side whole: git checkout --ours -- "cassettes/a.test/conflict.json"
      Mend it there, then see: npx turntape check "cassettes/a.test/duplicate.json"
      If the edit is meant: npx turntape check --fix "cassettes/a.test/edited.json"
      --cap maxBodyBytes=17000000, if the project allows as much
      A secret that was ever committed stays in the history: revoke it, redact it, record the test again.
      and 3 more

    11 cassettes checked, 10 findings
    --- exit code 1"
  `)
})

test('AR-04 what strict replay refuses when it opens a cassette is a finding, unless --allow names it', async () => {
  const { run, putCassette } = createCliProject()
  const call = { ...modelCall('hello', 'hi'), unverifiable: 'the log leaves out the images' }
  putCassette('cassettes/a.test/imported.json', recordedCassette('an import', [call]))
  expect(await run(['check'])).toMatchInlineSnapshot(`
    "cassettes/a.test/imported.json  TURNTAPE_UNVERIFIABLE  interaction 1 is unverifiable: the log leaves out the images

      allow: { unhashed: true }, in the test

    1 cassette checked, 1 finding
    --- exit code 1"
  `)
  expect(await run(['check', '--allow', 'unhashed'])).toBe('1 cassette checked, nothing found\n--- exit code 0')
  expect(await run(['check', '--allow', 'everything'])).toContain('Valid: unhashed, incomplete, substitution.')
})

test('cassettes without a fault are counted, exit code 0', async () => {
  const { run, putCassette, project } = createCliProject()
  expect(await run(['check'])).toBe('0 cassettes checked, nothing found\n--- exit code 0')
  putCassette('cassettes/a.test/good.json', good)
  putCassette('cassettes/a.test/draws.json', withSideFile())
  project.write({ 'cassettes/a.test/windows.json': writeCassette(good).replaceAll('\n', '\r\n') })
  project.write({ [`cassettes/a.test/draws.files/${pngHash}.png`]: '' })
  writeFileSync(`${project.folder}/cassettes/a.test/draws.files/${pngHash}.png`, png)
  expect(await run(['check'])).toBe('3 cassettes checked, nothing found\n--- exit code 0')
})

test('F13 --fix hashes edited requests again, marks the cassette as derived and changes nothing else', async () => {
  const { run, project, putCassette } = createCliProject()
  const path = 'cassettes/a.test/edited.json'
  putCassette('cassettes/a.test/good.json', good)
  project.write({ [path]: writeCassette(good).replace('and now', 'and later') })
  expect(await run(['check', '--fix'])).toMatchInlineSnapshot(`
    "cassettes/a.test/edited.json  hashed again and marked as derived (edited)
    2 cassettes checked, nothing found
    --- exit code 0"
  `)
  const meant = recordedCassette('a good one', [modelCall('hello', 'hi'), modelCall('and later', 'bye')])
  expect(project.read(path)).toBe(writeCassette({ ...meant, provenance: { kind: 'derived', reason: 'edited' } }))
  expect(project.read('cassettes/a.test/good.json')).toBe(writeCassette(good))
  expect(await run(['check', '--fix'])).toBe('2 cassettes checked, nothing found\n--- exit code 0')
})

test('--fix leaves a cassette alone whose side file is missing, and mends no secret', async () => {
  const { run, project } = createCliProject()
  const withoutFile = writeCassette(withSideFile()).replace('"draw"', '"paint"')
  const telling = writeCassette(recordedCassette('tells', [modelCall(`use ${secret}`, 'hi')])).replace('use ', 'take ')
  project.write({ 'cassettes/a.test/no-file.json': withoutFile, 'cassettes/a.test/tells.json': telling })
  expect(await run(['check', '--fix'], { env: { BOOKING_TOKEN: secret } })).toMatchInlineSnapshot(`
    "cassettes/a.test/no-file.json  TURNTAPE_CASSETTE_EDITED  the request of interaction 1 was edited: its hash is e1800e31, computed b76feb93
    cassettes/a.test/no-file.json  TURNTAPE_CASSETTE_INVALID  its side file 4c4b6a3be1314ab86138bef4314dde022e600960d8689a2c8f8631802d20dab6.png is missing
    cassettes/a.test/tells.json  hashed again and marked as derived (edited)
    cassettes/a.test/tells.json  TURNTAPE_SECRET_FOUND  interaction 1, request body /messages/0/content holds the value of BOOKING_TOKEN

      A secret that was ever committed stays in the history: revoke it, redact it, record the test again.
      redact: { values: { 'booking-token': process.env.BOOKING_TOKEN } }

    2 cassettes checked, 3 findings
    --- exit code 1"
  `)
  expect(project.read('cassettes/a.test/no-file.json')).toBe(withoutFile)
  expect(project.pending()).toEqual([])
})

test('a path, a folder, a glob or a side file selects cassettes; a file that is none is passed over', async () => {
  const { run, project, putCassette } = createCliProject({ 'src/a.ts': '', 'src/data.json': '{}', 'README.md': '' })
  putCassette('cassettes/a.test/one.json', good)
  putCassette('cassettes/a.test/two.json', good)
  putCassette('cassettes/b.test/one.json', good)
  putCassette('fixtures/own-path.json', good)
  project.write({ [`cassettes/a.test/one.files/${pngHash}.png`]: 'x' })
  const given: readonly (readonly string[])[] = [
    [],
    ['cassettes/a.test/one.json', './cassettes/a.test/one.json'],
    ['cassettes/a.test'],
    ['.'],
    ['cassettes/*/one.json'],
    ['./cassettes/**'],
    [`cassettes/a.test/one.files/${pngHash}.png`],
    ['fixtures/own-path.json'],
    ['src/a.ts', 'src/data.json', 'README.md'],
    ['cassettes/b.test/one.json', 'src/a.ts'],
  ]
  const counts: (readonly [readonly string[], string | undefined])[] = []
  for (const args of given) counts.push([args, (await run(['check', ...args])).split('\n')[0]])
  const checked = (count: number) => `${count} cassette${count === 1 ? '' : 's'} checked, nothing found`
  expect(counts.map(([, line]) => line)).toEqual([3, 1, 2, 3, 2, 3, 1, 1, 0, 1].map(checked))
  expect(await run(['check', 'cassettes/a.test/on.json'])).toMatchInlineSnapshot(`
    "--- stderr
    Nothing is at cassettes/a.test/on.json [TURNTAPE_USAGE]

    Did you mean cassettes/a.test/one.json? Give cassettes, folders or globs of them.
    --- exit code 2"
  `)
  expect(await run(['check', 'cassettes/*/three.json'])).toMatchInlineSnapshot(`
    "--- stderr
    No cassette matches cassettes/*/three.json [TURNTAPE_USAGE]

    Did you mean cassettes/a.test/one.json? Give cassettes, folders or globs of them.
    --- exit code 2"
  `)
})

test('a folder without a cassette is no check that passed', async () => {
  const { run } = createCliProject({ 'packages/a/package.json': '{}' })
  expect(await run(['check', 'packages'])).toMatchInlineSnapshot(`
    "--- stderr
    No cassette of this project is in packages [TURNTAPE_USAGE]

    Another package has its own: go there.
    --- exit code 2"
  `)
  expect(await run(['check', '../elsewhere.json'])).toMatchInlineSnapshot(`
    "--- stderr
    Nothing is at ../elsewhere.json [TURNTAPE_USAGE]

    Give cassettes, folders or globs of them.
    --- exit code 2"
  `)
})

test('F20 --cap stands in for the caps of the project', async () => {
  const { run, putCassette } = createCliProject()
  putCassette('cassettes/a.test/good.json', good)
  expect(await run(['check', '--cap', 'maxInteractions=1'])).toMatchInlineSnapshot(`
    "cassettes/a.test/good.json  TURNTAPE_CAP_EXCEEDED  maxInteractions is exceeded: 2 found, 1 allowed

      --cap maxInteractions=2, if the project allows as much

    1 cassette checked, 1 finding
    --- exit code 1"
  `)
  expect(await run(['check', '--cap', 'maxInteractions=2'])).toBe('1 cassette checked, nothing found\n--- exit code 0')
})
