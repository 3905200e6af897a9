import { describe, expect, test } from 'vitest'
import type { Json } from '../../src/core/cassette/document.ts'
import { changedLeaf } from '../../src/divergence/changed-leaf.ts'
import { agentRequests, post } from './agent-requests.ts'
import { diverge, type LaneCall, messageOf, modelCall } from './diverge.ts'

const url = 'https://api.openai.com/v1/chat/completions'

function chat(content: Json, more: { readonly [key: string]: Json } = {}): LaneCall {
  return modelCall(post(url, { model: 'gpt-5', ...more, messages: [{ role: 'user', content }] }))
}

function toolCall(name: string, input: Json): LaneCall {
  return { call: { kind: 'tool', request: { name, input } } }
}

describe('promise 3: layers', () => {
  const base = {
    model: 'm',
    messages: [
      { role: 'system', content: 'a' },
      { role: 'user', content: 'a' },
    ],
  }
  const changed: readonly (readonly [layer: string, path: string, body: Json])[] = [
    ['settings', 'model', { ...base, model: 'n' }],
    ['settings', 'tool_choice', { ...base, tool_choice: 'auto' }],
    [
      'system',
      'messages[0].content',
      { ...base, messages: [{ role: 'system', content: 'b' }, base.messages[1] as Json] },
    ],
    [
      'messages',
      'messages[1].content',
      { ...base, messages: [base.messages[0] as Json, { role: 'user', content: 'b' }] },
    ],
    ['tools', 'tools', { ...base, tools: [] }],
    ['system', 'instructions', { ...base, instructions: 'b' }],
    ['messages', 'input', { ...base, input: 'b' }],
    ['settings', 'options', { ...base, options: { temperature: 1 } }],
    ['system', 'preamble', { ...base, preamble: 'b' }],
    ['messages', 'message', { ...base, message: 'b' }],
    ['messages', 'chat_history', { ...base, chat_history: [] }],
  ]

  test.each(changed)('a change is in the layer %s, at %s', (layer, path, body) => {
    const [first] = diverge([modelCall(post(url, base))], [modelCall(post(url, body))]).changes
    expect(first).toMatchObject({ layer, path })
  })

  test('a result that names its tool is told by it, as Ollama has it', () => {
    const result = (content: string) =>
      modelCall(
        post('http://localhost/api/chat', { model: 'm', messages: [{ role: 'tool', tool_name: 'look', content }] }),
      )
    expect(diverge([result('a')], [result('b')]).changes).toMatchObject([
      { layer: 'messages', about: 'result of look' },
    ])
  })

  test('come in the order a reader looks, whatever the order in the body', () => {
    const recorded = chat('a', { temperature: 1, tools: [{ name: 't' }] })
    const present = chat('b', { temperature: 2, tools: [{ name: 'u' }] })
    expect(diverge([recorded], [present]).changes.map(({ layer }) => layer)).toEqual([
      'settings',
      'tools',
      'tools',
      'messages',
    ])
  })

  test('another method, host, query or version header has its own', () => {
    const recorded = post('https://a.example/v1/messages?beta=true', { a: 1 }, { 'anthropic-version': '1' })
    const present = { ...post('https://a.example/v1/messages?beta=false', { a: 1 }, { 'anthropic-version': '2' }) }
    expect(diverge([modelCall(recorded)], [modelCall(present)]).changes).toMatchObject([
      { layer: 'url', path: 'url', recorded: '"https://a.example/v1/messages?beta=true"' },
      { layer: 'headers', path: 'headers["anthropic-version"]', recorded: '"1"', present: '"2"' },
    ])
  })

  test('a call that is no model call has body or tool input', () => {
    const http = (a: number): LaneCall => ({
      call: { kind: 'http', request: post('https://a.example/x', { messages: a }) },
    })
    expect(diverge([http(1)], [http(2)]).changes).toMatchObject([{ layer: 'body', path: 'messages' }])
    const [city] = diverge(
      [toolCall('get_weather', { city: 'Paris' })],
      [toolCall('get_weather', { city: 'Oslo' })],
    ).changes
    expect(city).toMatchObject({ layer: 'tool input', path: 'city', recorded: '"Paris"', present: '"Oslo"' })
    expect(diverge([toolCall('count', 1)], [toolCall('count', 2)]).changes).toMatchObject([{ path: 'input' }])
  })
})

describe('promise 3: the nearest recorded interaction', () => {
  test('is the one expected here, if it is alike', () => {
    const { nearest } = diverge([chat('fly to Paris'), chat('fly to Oslo')], [chat('fly to Bergen')])
    expect(nearest).toMatchObject({ number: 1, turn: 1, state: 'next' })
  })

  test('is the most alike one still to come, where the expected one is another kind of call', () => {
    const recorded = [toolCall('get_weather', {}), chat('book a hotel'), chat('fly to Oslo', { temperature: 1 })]
    const details = diverge(recorded, [chat('fly to Bergen', { temperature: 1 })])
    expect(details.nearest).toMatchObject({ number: 3, state: 'later' })
    expect(details.changes.map(({ path }) => path)).toEqual(['messages[0].content'])
  })

  test('is absent where nothing recorded is alike', () => {
    const details = diverge([toolCall('get_weather', {})], [chat('fly')])
    expect(details.nearest).toBeUndefined()
    expect(messageOf(details)).toContain('the cassette holds no call like it')
  })

  test('is the equal one of another lane, with the lane to use', () => {
    const planner = { ...chat('plan'), lane: 'planner' }
    const details = diverge([planner, { ...chat('write'), lane: 'writer' }], [{ ...chat('plan'), lane: 'writer' }])
    expect(details.nearest).toMatchObject({ number: 1, state: 'other lane', lane: 'planner' })
    expect(details.changes).toEqual([])
    expect(details.remedies[0]?.command).toBe('tape.lane("planner", () => …)')
    expect(messageOf(details)).toContain('Turn 1 was made in lane "writer", but recorded in lane "planner"')
  })

  test('is found among 2,000 interactions of 50 KB each', () => {
    const padding = 'lorem ipsum dolor sit amet '.repeat(1_900)
    const recorded = Array.from({ length: 2_000 }, (_, index) =>
      modelCall(
        post(url, {
          model: 'gpt-5',
          messages: [
            { role: 'system', content: padding },
            { role: 'user', content: `question ${index}` },
          ],
        }),
      ),
    )
    const present = modelCall(
      post(url, {
        model: 'gpt-5',
        messages: [
          { role: 'system', content: padding },
          { role: 'user', content: 'question x' },
        ],
      }),
    )
    const details = diverge([toolCall('first', {}), ...recorded], [present])
    expect(details.nearest?.number).toBe(2)
    expect(details.changes).toMatchObject([
      { path: 'messages[1].content', recorded: '"question 0"', present: '"question x"' },
    ])
  })
})

describe('promise 3: hints', () => {
  const recorded = 'It is 2026-11-30T12:00:00Z; request 0f8fad5b-d9cd-469f-a165-70867728950e'

  test('say that only dates differ, and give the normaliser line', () => {
    const details = diverge([chat('It is 2026-11-30.')], [chat('It is 2027-01-02.')])
    expect(details.hints).toEqual([{ kind: 'volatile', what: 'dates', line: 'normalise: [dates()]' }])
    expect(details.remedies[0]).toEqual({ why: 'Let them count as equal', command: 'normalise: [dates()]' })
  })

  test('name several kinds in one line, only those that are needed', () => {
    const details = diverge(
      [chat(recorded)],
      [chat('It is 2027-01-01T08:30:00Z; request 7c9e6679-7425-40de-944b-e07fc1f90ae7')],
    )
    expect(details.hints).toEqual([
      { kind: 'volatile', what: 'dates', line: 'normalise: [dates(), uuids()]' },
      { kind: 'volatile', what: 'uuids', line: 'normalise: [dates(), uuids()]' },
    ])
  })

  test('say nothing of volatile values where a word changed as well', () => {
    expect(diverge([chat('Fly on 2026-11-30.')], [chat('Drive on 2027-01-02.')]).hints).toEqual([])
  })

  test('name the SDK versions where they differ, never the tool or the runtime', () => {
    const runningWith = { turntape: '0.2.0', node: '24.0.0', openai: '7.59.0' }
    const details = diverge([chat('a')], [chat('b')], { runningWith })
    expect(details.hints).toEqual([{ kind: 'versions', name: 'openai', recorded: '6.49.0', present: '7.59.0' }])
  })

  test('AR-24 say that the output limit alone differs, and nothing of it where more does', () => {
    const limits = [500, 800].map((max_tokens) => chat('Summarise.', { max_tokens }))
    expect(diverge([limits[0] as LaneCall], [limits[1] as LaneCall]).hints).toEqual([
      { kind: 'output limit', line: "normalise: [ignoreMembers('max_tokens')]" },
    ])
    const lengths = [500, 800].map((num_predict) => chat('Summarise.', { options: { num_predict } }))
    expect(diverge([lengths[0] as LaneCall], [lengths[1] as LaneCall]).hints).toEqual([
      { kind: 'output limit', line: "normalise: [ignoreMembers('options.num_predict')]" },
    ])
    expect(diverge([limits[0] as LaneCall], [chat('In short.', { max_tokens: 800 })]).hints).toEqual([])
    expect(diverge([limits[0] as LaneCall], [chat('Summarise.', { max_tokens: 500, top_k: 1 })]).hints).toEqual([])
  })

  test('name the turns that were skipped', () => {
    const details = diverge([chat('a'), chat('b'), chat('c'), chat('d')], [chat('a'), chat('d')])
    expect(details.hints).toEqual([{ kind: 'skips', turn: 4, skipped: [2, 3] }])
    expect(messageOf(details)).toContain(
      'This request equals turn 4. Turns 2 and 3 were skipped, or the two calls changed places.',
    )
  })

  test('name the lanes of the cassette where the run made up another', () => {
    const lanes = ['planner', 'writer'].map((lane) => ({ ...chat(lane), lane }))
    const details = diverge(lanes, [{ ...chat('something else'), lane: 'critic' }])
    expect(details.hints).toEqual([{ kind: 'lanes', present: 'critic', recorded: ['planner', 'writer'] }])
    expect(messageOf(details)).toContain('Turn 1 was made in lane "critic", which was not recorded')
  })
})

describe('promise 3: remedies', () => {
  const recorded = [chat('a'), chat('b'), chat('c')]
  const commands = (run: readonly LaneCall[], overrides: Parameters<typeof diverge>[2] = {}) =>
    diverge(recorded, run, overrides).remedies.map(({ command }) => command.replace(/ ".*/, ''))

  test('at the first turn: record this test', () => {
    expect(commands([chat('x')])).toEqual(['npx turntape record'])
  })

  test('at a later turn: from here on, or the whole test', () => {
    expect(commands([chat('a'), chat('x')])).toEqual(['npx vitest run', 'npx turntape record'])
  })

  test('swapped: lanes, any order, then recording', () => {
    expect(commands([chat('b')])).toEqual(["tape.lane('name', () => …)", "order: 'any'", 'npx turntape record'])
  })

  test('a conversation played twice: reset', () => {
    expect(commands([chat('a'), chat('a')])[0]).toBe('tape.reset()')
  })

  test('in CI the recording is to be made locally', () => {
    const { remedies } = diverge(recorded, [chat('x')], { ci: true, mode: 'replay' })
    expect(remedies.map(({ why }) => why)).toEqual([
      'If the change is intended, record this test again locally and commit the cassette',
    ])
  })
})

describe('promise 3: what counts as equal is not shown', () => {
  test('a change that the normalisers make equal is left out', () => {
    const details = diverge([chat('Paris', { seed: 1 })], [chat('Oslo', { seed: 2 })], {
      normalise: ({ body, ...rest }) => ({ ...rest, body: { ...(body as { readonly [key: string]: Json }), seed: 0 } }),
    })
    expect(details.changes.map(({ path }) => path)).toEqual(['messages[0].content'])
    expect(details.changesTotal).toBe(1)
  })
})

describe('promise 3: the leaf for reporters', () => {
  test('is the first changed value alone', () => {
    expect(changedLeaf(diverge([chat('a', { temperature: 0 })], [chat('b', { temperature: 1 })]))).toEqual({
      actual: '1',
      expected: '0',
    })
  })

  test('is empty where only the order changed', () => {
    expect(changedLeaf(diverge([chat('a'), chat('b')], [chat('b')]))).toEqual({})
  })
})

test('5 MB in every place give a message of at most 24 lines, none longer than 200 characters', () => {
  const big = 'lorem ipsum '.repeat(430_000)
  const half = big.slice(0, big.length / 2)
  const request = (mark: string) =>
    chat(`${half}${mark}${half}`, {
      instructions: `${mark}\n${half}`,
      tools: [{ name: `t${mark}`, description: half }],
      metadata: { [half]: mark },
    })
  const lines = messageOf(diverge([request('one')], [request('two')])).split('\n')
  expect(lines.length).toBeLessThanOrEqual(24)
  expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(200)
})

test('a request nested 20,000 deep is explained', () => {
  const nested = JSON.parse(`${'['.repeat(5_000)}1${']'.repeat(5_000)}`) as Json
  let deep: Json = nested
  for (let depth = 0; depth < 15_000; depth += 1) deep = [deep]
  expect(diverge([chat(deep)], [chat([deep])]).changes).toHaveLength(1)
})

test('the recorded requests of an agent are never changed by being explained', () => {
  const requests = agentRequests('OpenAI chat')
  const before = JSON.stringify(requests)
  diverge(
    requests.map((request) => modelCall(request)),
    [chat('x')],
    { normalise: (request) => ({ ...request, body: null }) },
  )
  expect(JSON.stringify(requests)).toBe(before)
})
