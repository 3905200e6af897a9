import { expect, test } from 'vitest'
import { createCliProject, modelCall, recordedCassette } from './cli-project.ts'

const path = 'cassettes/test/flights.test/flights__books-the-cheapest.json'
const other = 'fresh/test/flights.test/flights__books-the-cheapest.json'

function flight(prompt: string, answer: string) {
  return recordedCassette('flights > books the cheapest', [modelCall('hello', 'hi'), modelCall(prompt, answer)])
}

test('two cassettes that say the same are told so, whenever they were recorded', async () => {
  const { run, putCassette } = createCliProject()
  putCassette(path, flight('the cheapest', '89 EUR'))
  putCassette(other, { ...flight('the cheapest', '89 EUR'), recordedAt: '2027-01-01T00:00:00.000Z' })
  expect(await run(['diff', path, other])).toBe(`${path} and ${other} say the same in 2 turns\n--- exit code 0`)
})

test('the first difference is printed with its place on both sides', async () => {
  const { run, putCassette, putPending } = createCliProject({ 'test/flights.test.ts': '' })
  putCassette(path, flight('the cheapest', '89 EUR'))
  putCassette(other, flight('the fastest', '120 EUR'))
  const asked = await run(['diff', path, other])
  expect(asked).toMatchInlineSnapshot(`
    "Turn 2 asks for something else: messages[0].content changed
    left   cassettes/test/flights.test/flights__books-the-cheapest.json  interaction 2, turn 2, POST https://api.openai.com/v1/chat/completions (gpt-5)
    right  fresh/test/flights.test/flights__books-the-cheapest.json  interaction 2, turn 2, POST https://api.openai.com/v1/chat/completions (gpt-5)
      messages[0].content (user message)
        - "the cheapest"
        + "the fastest"
    --- exit code 3"
  `)
  expect(await run(['diff', 'test/flights.test.ts > flights > books the cheapest', other])).toBe(asked)
  expect(await run(['diff', path, other, '--answers-only'])).toMatchInlineSnapshot(`
    "Turn 2 is asked the same and answered otherwise: blocks[0].text changed
    left   cassettes/test/flights.test/flights__books-the-cheapest.json  interaction 2, turn 2, POST https://api.openai.com/v1/chat/completions (gpt-5)
    right  fresh/test/flights.test/flights__books-the-cheapest.json  interaction 2, turn 2, POST https://api.openai.com/v1/chat/completions (gpt-5)
      blocks[0].text
        - "89 EUR"
        + "120 EUR"
    --- exit code 3"
  `)
  putPending(path, flight('the cheapest', '98 EUR'))
  expect(await run(['diff', path, `node_modules/.cache/turntape/${path}`])).toContain('    + "98 EUR"')
})

test('folders are paired by path, and each cassette that is not the same is told', async () => {
  const { run, project, putCassette } = createCliProject()
  putCassette('cassettes/a.json', flight('the cheapest', '89 EUR'))
  putCassette('cassettes/same.json', flight('the cheapest', '89 EUR'))
  putCassette('cassettes/deep/only.json', flight('the cheapest', '89 EUR'))
  putCassette('fresh/a.json', flight('the cheapest', '98 EUR'))
  putCassette('fresh/same.json', flight('the cheapest', '89 EUR'))
  project.write({
    'fresh/broken.json': '{ "format": "turntape/1"',
    'cassettes/broken.json': '{ "format": "turntape/1"',
  })
  project.write({ 'fresh/other.json': '{ "no": "cassette" }' })
  expect(await run(['diff', 'cassettes', 'fresh'])).toMatchInlineSnapshot(`
    "Turn 2 is asked the same and answered otherwise: blocks[0].text changed
    left   cassettes/a.json  interaction 2, turn 2, POST https://api.openai.com/v1/chat/completions (gpt-5)
    right  fresh/a.json  interaction 2, turn 2, POST https://api.openai.com/v1/chat/completions (gpt-5)
      blocks[0].text
        - "89 EUR"
        + "98 EUR"

    broken.json  Not a valid cassette: broken.json:1:25 [TURNTAPE_CASSETTE_INVALID]

    deep/only.json  only in cassettes

    4 cassettes compared, 1 not the same, 1 on one side only, 1 not readable
    --- exit code 1"
  `)
  project.write({ 'one/x.txt': '', 'two/x.txt': '' })
  putCassette('one/same.json', flight('a', 'b'))
  putCassette('two/same.json', flight('a', 'b'))
  expect(await run(['diff', 'one', 'two'])).toBe('1 cassette compared, all the same\n--- exit code 0')
})

test('--json gives the comparison as data', async () => {
  const { project, putCassette } = createCliProject()
  putCassette(path, flight('the cheapest', '89 EUR'))
  putCassette(other, flight('the cheapest', '98 EUR'))
  const { stdout, code } = await project.turntape(['diff', '--json', path, other])
  expect(code).toBe(3)
  expect(JSON.parse(stdout)).toMatchObject({
    identical: false,
    left: { name: path, turns: 2, interactions: 2 },
    difference: {
      reason: 'answer',
      left: { interaction: 2, turn: 2 },
      changes: [{ change: 'changed', path: 'blocks[0].text', left: '"89 EUR"', right: '"98 EUR"' }],
      total: 1,
    },
  })
})

test('what cannot be compared is said', async () => {
  const { run, project, putCassette } = createCliProject()
  putCassette(path, flight('a', 'b'))
  project.write({ 'empty/x.txt': '', 'void/x.txt': '' })
  const outputs: string[] = []
  for (const args of [[], [path], [path, 'cassettes'], [path, 'gone.json'], ['empty', 'void'], [path, path, path]]) {
    outputs.push(await run(['diff', ...args]))
  }
  expect(outputs.join('\n')).toMatchInlineSnapshot(`
    "--- stderr
    diff needs two cassettes or two folders [TURNTAPE_USAGE]

    See turntape diff --help.
    --- exit code 2
    --- stderr
    diff needs two cassettes or two folders [TURNTAPE_USAGE]

    See turntape diff --help.
    --- exit code 2
    --- stderr
    cassettes/test/flights.test/flights__books-the-cheapest.json and cassettes are not of one kind [TURNTAPE_USAGE]

    Give two cassettes, or two folders whose cassettes are paired by path.
    --- exit code 2
    --- stderr
    No cassette is at gone.json [TURNTAPE_USAGE]

    Give the path of a cassette, or "<test file> > <test name>".
    --- exit code 2
    --- stderr
    There is no cassette in empty or void [TURNTAPE_USAGE]

    Give other folders.
    --- exit code 2
    --- stderr
    turntape diff does not know what to do with "cassettes/test/flights.test/flights__books-the-cheapest.json" [TURNTAPE_USAGE]

    See turntape diff --help.
    --- exit code 2"
  `)
})
