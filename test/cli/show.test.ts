import { expect, test } from 'vitest'
import type { HttpInteraction, Interaction, Json } from '../../src/core/cassette/document.ts'
import { createCliProject, modelCall, recordedCassette } from './cli-project.ts'

const path = 'cassettes/test/flights.test/flights__books-the-cheapest.json'

const question = { role: 'user', content: 'Berlin to Oslo\non Friday' }
const asked = {
  role: 'assistant',
  content: null,
  tool_calls: [{ id: 'call_1', type: 'function', function: { name: 'search', arguments: '{"to":"Oslo"}' } }],
}
const tools = [{ type: 'function', function: { name: 'search', parameters: {} } }]

function chatCall(messages: readonly Json[], response: HttpInteraction['response']): Interaction {
  const call = modelCall('', '') as HttpInteraction
  const body = {
    json: { model: 'gpt-5', stream: true, tools, messages: [{ role: 'system', content: 'Be brief.' }, ...messages] },
  }
  const { response: _response, ...rest } = { ...call, request: { ...call.request, body } }
  return response === undefined ? rest : { ...rest, response }
}

function chunk(delta: Json): { readonly data: Json } {
  return { data: { choices: [{ index: 0, delta }] } }
}

const toolLoop: readonly Interaction[] = [
  {
    ...chatCall([question], undefined),
    failure: {
      stage: 'connect',
      name: 'TypeError',
      message: 'fetch failed',
      cause: { stage: 'connect', name: 'Error', message: 'connect ECONNREFUSED', code: 'ECONNREFUSED' },
    },
    timing: { startMs: 0 },
  } as Interaction,
  chatCall([question], {
    status: 200,
    headers: [['content-type', 'text/event-stream']],
    body: {
      framing: 'sse',
      events: [
        chunk({ content: 'Let me ' }),
        chunk({ content: 'look.' }),
        chunk({ tool_calls: [{ index: 0, function: { name: 'search', arguments: '{"to":' } }] }),
        chunk({ tool_calls: [{ index: 0, function: { arguments: '"Oslo"}' } }] }),
        { data: { choices: [], usage: { prompt_tokens: 40, completion_tokens: 9 } } },
        { text: '[DONE]' },
      ],
      gapsMs: [0, 5, 5, 5, 5, 1],
    },
  }),
  {
    number: 3,
    kind: 'tool',
    hash: '',
    request: { name: 'search', input: { to: 'Oslo' } },
    result: { value: [{ price: 89 }] },
    timing: { startMs: 300 },
  },
  {
    ...chatCall([question, asked, { role: 'tool', tool_call_id: 'call_1', content: '[{"price":89}]' }], {
      status: 200,
      headers: [],
      body: { framing: 'sse', events: [chunk({ content: 'It is 89.' })], end: { kind: 'aborted' } },
    }),
    lane: 'writer',
  },
  {
    number: 5,
    kind: 'http',
    hash: '',
    request: { method: 'GET', url: 'https://api.example.com/rates?base=EUR' },
    response: { status: 404, headers: [], body: { text: 'no such rate' } },
    timing: { startMs: 400, headMs: 7 },
  },
]

test('prints the header and each interaction: its turn, what its request adds, the answer', async () => {
  const { run, putCassette } = createCliProject({ 'test/flights.test.ts': '' })
  putCassette(path, recordedCassette('flights > books the cheapest', toolLoop))
  const shown = await run(['show', path])
  expect(shown).toMatchInlineSnapshot(`
    "flights > books the cheapest
    cassettes/test/flights.test/flights__books-the-cheapest.json
    live, recorded 2026-11-30 12:00:00 UTC with node 20.20.2, openai 6.49.0, turntape 0.1.0
    5 interactions, 2 turns

    #1  turn 1 | attempt 1 of 2 | model | POST https://api.openai.com/v1/chat/completions (gpt-5)
        failed at connect: TypeError: fetch failed (ECONNREFUSED) | hash 9241eb23
        tools       search
        system      Be brief.
        user        Berlin to Oslo
                    on Friday

    #2  turn 1 | attempt 2 of 2 | model | POST https://api.openai.com/v1/chat/completions (gpt-5)
        200, head after 120 ms, 6 chunks in 21 ms | hash 9241eb23
        => text     Let me look.
        => call     search {"to":"Oslo"}
        => tokens   40 in, 9 out

    #3  tool | search
        returned | hash b2c2add4
        input       {"to":"Oslo"}
        => response [{"price":89}]

    #4  turn 2 | lane writer | model | POST https://api.openai.com/v1/chat/completions (gpt-5)
        200, head after 120 ms, 1 chunk, aborted by the caller | hash 0994fdee
        tools       search
        system      Be brief.
        user        Berlin to Oslo
                    on Friday
        call        search {"to":"Oslo"}
        result      [{"price":89}]
        => text     It is 89.

    #5  http | GET https://api.example.com/rates?base=EUR
        404, head after 7 ms, 1 chunk | hash 119db08a
        => response no such rate
    --- exit code 0"
  `)
  expect(await run(['show', 'test/flights.test.ts > flights > books the cheapest'])).toBe(shown)
  expect(await run(['show', path.replace('.json', '')])).toBe(shown)
})

test('--json says the same with nothing shortened', async () => {
  const { project, putCassette } = createCliProject()
  const long = 'word '.repeat(5000)
  putCassette(path, recordedCassette('flights', [modelCall(long, 'It is 89.\u009b31m')]))
  const { stdout, code } = await project.turntape(['show', '--json', path])
  expect(code).toBe(0)
  expect(stdout).toContain('It is 89.\\u009b31m')
  expect(JSON.parse(stdout)).toEqual({
    cassette: path,
    pending: false,
    test: 'flights',
    provenance: { kind: 'live' },
    recordedAt: '2026-11-30T12:00:00.000Z',
    recordedWith: { node: '20.20.2', openai: '6.49.0', turntape: '0.1.0' },
    interactions: [
      {
        number: 1,
        turn: 1,
        kind: 'model',
        call: 'POST https://api.openai.com/v1/chat/completions',
        model: 'gpt-5',
        hash: expect.stringMatching(/^[0-9a-f]{64}$/),
        outcome: '200',
        timing: ['head after 120 ms', '1 chunk'],
        request: [{ label: 'user', text: long }],
        answer: { thinking: '', text: 'It is 89.\u009b31m', calls: [], usage: { input: 12, output: 5 } },
      },
    ],
  })
})

test('a turn takes no more than a screen, whatever it holds, and no terminal acts on it', async () => {
  const { project, putCassette } = createCliProject()
  const wild = `\u001b[31mred\u0007 ${'long '.repeat(200)}\n`.repeat(50)
  const messages = Array.from({ length: 40 }, (_, index) => ({ role: 'user', content: `${index} ${wild}` }))
  const calls = Array.from({ length: 30 }, (_, index) => ({ function: { name: `tool${index}`, arguments: wild } }))
  const body = { json: { choices: [{ message: { content: wild, reasoning_content: wild, tool_calls: calls } }] } }
  const interaction = chatCall(messages, { status: 200, headers: [], body })
  putCassette(path, recordedCassette(`a${wild}`, [{ ...interaction, lane: wild }]))
  const { stdout, code } = await project.turntape(['show', path])
  expect(code).toBe(0)
  const lines = stdout.trimEnd().split('\n')
  expect(lines.length).toBeLessThanOrEqual(4 + 1 + 24)
  expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(320)
  // biome-ignore lint/suspicious/noControlCharactersInRegex: this is what must not be there
  expect(stdout).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f]/)
})

test('nothing is coloured where standard output is no terminal', async () => {
  const { project, putCassette } = createCliProject()
  putCassette(path, recordedCassette('flights', [modelCall('a', 'b')]))
  const plain = await project.turntape(['show', path])
  const forced = await project.turntape(['show', path], { env: { NO_COLOR: '', FORCE_COLOR: '1', CI: '1' } })
  expect(forced.stdout).toBe(plain.stdout)
})

test('a pending recording is shown where it is asked for, or where nothing else is', async () => {
  const { project, putCassette, putPending } = createCliProject()
  putCassette(path, recordedCassette('flights', [modelCall('a', 'committed')]))
  putPending(path, recordedCassette('flights', [modelCall('a', 'pending')]))
  putPending('cassettes/b.test/b.json', recordedCassette('b', [modelCall('b', 'only pending')]))
  const show = async (...args: string[]) => (await project.turntape(['show', ...args])).stdout
  expect(await show(path)).toContain('=> text     committed')
  for (const args of [[path, '--pending'], [`node_modules/.cache/turntape/${path}`]]) {
    const shown = await show(...args)
    expect(shown).toContain(`${path}  pending, not committed`)
    expect(shown).toContain('=> text     pending')
  }
  expect(await show('cassettes/b.test/b.json')).toContain('=> text     only pending')
})

test('paths are relative to the current folder, or to the package root as messages print them', async () => {
  const { project, putCassette } = createCliProject({ 'test/unit/flights.test.ts': '' })
  putCassette(path, recordedCassette('flights', [modelCall('a', 'b')]))
  const inFolder = { ...project, folder: `${project.folder}/test` }
  const { stdout } = await project.node.call(inFolder, ['../node_modules/turntape/dist/cli.js', 'show', path])
  expect(stdout.split('\n')[1]).toBe(`../${path}`)
  const relative = await project.node.call(inFolder, ['../node_modules/turntape/dist/cli.js', 'show', `../${path}`])
  expect(relative.stdout).toBe(stdout)
})

test('a test of another package of the repository has its cassette there', async () => {
  const { project, putCassette } = createCliProject({
    'packages/a/package.json': '{}',
    'packages/a/test/flights.test.ts': '',
  })
  putCassette(`packages/a/${path}`, recordedCassette('flights > books the cheapest', [modelCall('a', 'b')]))
  const name = 'packages/a/test/flights.test.ts > flights > books the cheapest'
  const { stdout } = await project.turntape(['show', name])
  expect(stdout.split('\n')[1]).toBe(`packages/a/${path}`)
})

test('what is not there, or cannot be read, is said', async () => {
  const { run, project, putCassette } = createCliProject()
  putCassette('cassettes/a.test/books.json', recordedCassette('books', [modelCall('a', 'b')]))
  project.write({ 'cassettes/a.test/broken.json': '{\n<<<<<<< HEAD\n' })
  const outputs: string[] = []
  for (const argument of ['cassettes/a.test/boks.json', 'cassettes/a.test/broken.json', '../outside.json']) {
    outputs.push(await run(['show', argument]))
  }
  outputs.push(await run(['show', '--pending', 'cassettes/a.test/books.json']))
  expect(outputs.join('\n')).toMatchInlineSnapshot(`
    "--- stderr
    No cassette is at cassettes/a.test/boks.json [TURNTAPE_USAGE]

    Did you mean cassettes/a.test/books.json? Give the path of a cassette, or "<test file> > <test
    name>".
    --- exit code 2
    --- stderr
    Not a valid cassette: cassettes/a.test/broken.json:2:1 [TURNTAPE_CASSETTE_INVALID]

    cassette    cassettes/a.test/broken.json
    place       line 2, column 1
    reason      it holds a git conflict marker

    Take your side whole:  git checkout --ours -- "cassettes/a.test/broken.json"
    Or theirs:  git checkout --theirs -- "cassettes/a.test/broken.json"
    --- exit code 1
    --- stderr
    No cassette is at ../outside.json [TURNTAPE_USAGE]

    Give the path of a cassette, or "<test file> > <test name>".
    --- exit code 2
    --- stderr
    There is no pending recording of cassettes/a.test/books.json [TURNTAPE_USAGE]

    See turntape accept --list.
    --- exit code 2"
  `)
})
