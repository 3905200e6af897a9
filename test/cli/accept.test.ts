import { expect, test } from 'vitest'
import { writeCassette } from '../../src/core/cassette/write-cassette.ts'
import { createCliProject, modelCall, recordedCassette } from './cli-project.ts'

const one = 'cassettes/a.test/one.json'
const two = 'cassettes/a.test/two.json'
const committed = recordedCassette('one', [modelCall('hello', 'hi')])
const pending = recordedCassette('one', [modelCall('hello', 'good day'), modelCall('and', 'bye')])
const secret = 'correct-horse-battery-staple-99'

test('promise 6: a pending recording takes the place of the committed cassette and is pending no more', async () => {
  const { run, project, putCassette, putPending } = createCliProject()
  putCassette(one, committed)
  putPending(one, pending)
  putPending(two, pending)
  expect(await run(['accept', '--list'])).toMatchInlineSnapshot(`
    "cassettes/a.test/one.json  2 interactions, 2 turns
    cassettes/a.test/two.json  2 interactions, 2 turns, new
    2 pending recordings
    --- exit code 0"
  `)
  expect(await run(['accept', one])).toMatchInlineSnapshot(`
    "cassettes/a.test/one.json  accepted, 2 interactions, 2 turns, replaces the committed cassette
    --- exit code 0"
  `)
  expect(project.read(one)).toBe(writeCassette(pending))
  expect(project.pending()).toEqual([two])
  expect(await run(['accept', '--all'])).toMatchInlineSnapshot(`
    "cassettes/a.test/two.json  accepted, 2 interactions, 2 turns, new
    --- exit code 0"
  `)
  expect(project.cassettes()).toEqual(['a.test/one.json', 'a.test/two.json'])
  expect(project.pending()).toEqual([])
  expect(await run(['accept', '--all'])).toBe('No pending recordings.\n--- exit code 0')
  expect(await run(['accept', '--list'])).toBe('No pending recordings.\n--- exit code 0')
})

test('it is named by its path, its path in the cache, or its test, as a message prints it', async () => {
  const { run, project, putPending } = createCliProject({ 'a.test.ts': '' })
  for (const argument of [one, `node_modules/.cache/turntape/${one}`, 'a.test.ts > one', 'cassettes/a.test/o{...}']) {
    putPending(one, pending)
    expect(await run(['accept', argument])).toMatch(/accepted, .*--- exit code 0$/s)
    expect(project.pending()).toEqual([])
  }
})

test('promise 7: one that would give a secret away is refused and stays pending; the others are accepted', async () => {
  const { run, project, putCassette, putPending } = createCliProject()
  putCassette(one, committed)
  putPending(one, recordedCassette('one', [modelCall('hello', `take ${secret}`)]))
  putPending(two, pending)
  const output = await run(['accept', '--all'], { env: { BOOKING_TOKEN: secret } })
  expect(output).toMatchInlineSnapshot(`
    "cassettes/a.test/two.json  accepted, 2 interactions, 2 turns, new
    --- stderr
    Not written, 1 place would give a secret away: "one" [TURNTAPE_SECRET_FOUND]

    test        one
    cassette    cassettes/a.test/one.json
    kept at     node_modules/.cache/turntape/cassettes/a.test/one.json

    interaction 1, response body /choices/0/message/content
      holds the value of BOOKING_TOKEN

    Have it removed as below, then run the test again. Until then it is kept, in clear text, readable by
    you alone.

    Remove it before it is stored:  redact: { values: { 'booking-token': process.env.BOOKING_TOKEN } }
    --- exit code 1"
  `)
  expect(output).not.toContain(secret)
  expect(project.read(one)).toBe(writeCassette(committed))
  expect(project.pending()).toEqual([one])
})

test('nothing is lost where nothing is pending, where it cannot be read, or where the file cannot be written', async () => {
  const { run, project, putCassette, putPending } = createCliProject()
  putCassette(one, committed)
  expect(await run(['accept', one])).toMatchInlineSnapshot(`
    "--- stderr
    cassettes/a.test/one.json: there is no pending recording, nothing is changed
    --- exit code 1"
  `)
  project.write({ [`node_modules/.cache/turntape/${one}`]: writeCassette(pending).slice(0, 300) })
  expect(await run(['accept', one])).toMatchInlineSnapshot(`
    "--- stderr
    Not a valid cassette: node_modules/.cache/turntape/cassettes/a.test/one.json:11:26 [TURNTAPE_CASSETTE_INVALID]

    cassette    node_modules/.cache/turntape/cassettes/a.test/one.json
    place       line 11, column 26
    reason      the file ends in the middle: it is truncated

    To mend it:  Run its test again: what cannot be read is recorded anew.
    --- exit code 1"
  `)
  expect(project.read(one)).toBe(writeCassette(committed))
  putPending(two, pending)
  project.write({ 'cassettes/a.test/two.json/in-its-place': '' })
  expect(await run(['accept', two])).toMatchInlineSnapshot(`
    "--- stderr
    Not a valid cassette: cassettes/a.test/two.json [TURNTAPE_CASSETTE_INVALID]

    cassette    cassettes/a.test/two.json
    reason      it is no file

    To see all that is wrong with it:  npx turntape check "cassettes/a.test/two.json"
    --- exit code 1"
  `)
  expect(project.pending()).toEqual([one, two])
})
