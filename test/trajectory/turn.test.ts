import { describe, expect, test } from 'vitest'
import type { Failure, HttpInteraction, Interaction, Json, ResponseBody } from '../../src/core/cassette/document.ts'
import { buildTrajectory } from '../../src/trajectory/turn.ts'
import type { Wire } from '../../src/wire/block.ts'
import {
  agentRun,
  chatCall,
  finalText,
  modelCall,
  numbered,
  results,
  searches,
  toolRun,
  wireCalls,
} from './wire-calls.ts'

const wires = Object.keys(wireCalls) as readonly Wire[]

describe.each(wires)('a turn of %s', (wire) => {
  const [first, second] = buildTrajectory({ interactions: agentRun(wire) })

  test('asks for tools, each with the result that the next request carries', () => {
    const told = (text: string) => (wire === 'gemini' ? { text } : wire === 'bedrock-converse' ? [{ text }] : text)
    const outputs = results.map(told)
    expect(first?.toolCalls.map(({ name }) => name)).toEqual(['search', 'search'])
    expect(first?.toolCalls.map((call) => call.arguments)).toEqual(searches)
    expect(first?.toolCalls.map(({ result }) => result)).toEqual(outputs.map((output) => ({ output, from: 'request' })))
    expect(second?.toolCalls).toEqual([])
  })

  test('has text, usage, model and settings', () => {
    expect(second).toMatchObject({ number: 2, text: finalText, finished: true, error: undefined, isFold: false })
    expect(second?.usage).toMatchObject({ inputTokens: 60, outputTokens: 5 })
    expect(second?.model).toMatch(/-1$/)
    expect(second?.finishReason).toEqual(expect.any(String))
    expect(second?.settings).toMatchObject({ instructions: 'Be brief.', temperature: 0, tools: [{ name: 'search' }] })
  })
})

const reset: Failure = { stage: 'body', name: 'TypeError', message: 'terminated', code: 'UND_ERR_SOCKET' }

function failed(call: HttpInteraction, status: number): HttpInteraction {
  return { ...call, response: { status, headers: [], body: { json: { error: { message: 'later' } } } } }
}

function cutAfter(call: HttpInteraction, text: string): HttpInteraction {
  const body: ResponseBody = {
    framing: 'sse',
    events: [{ data: { id: 'c', model: 'gpt-5', choices: [{ index: 0, delta: { content: text } }] } }],
    end: { kind: 'failed', failure: reset },
  }
  return { ...call, response: { status: 200, headers: [], body } }
}

test('TH-14 a retry is another attempt, its text never joined with that of the one before', () => {
  const call = chatCall('hi', 'hello')
  const interactions = numbered([failed(call, 429), cutAfter(call, 'hel'), call])
  const turns = buildTrajectory({ interactions })
  expect(turns).toHaveLength(1)
  expect(turns[0]?.attempts.map(({ number }) => number)).toEqual([1, 2])
  expect(turns[0]?.text).toBe('hello')
})

test('CU-10 an unfinished last turn is kept and marked, not merged with the one before', () => {
  const turns = buildTrajectory({
    interactions: numbered([chatCall('hi', 'hello'), cutAfter(chatCall('go on', ''), 'wel')]),
  })
  expect(turns.map(({ text, finished }) => [text, finished])).toEqual([
    ['hello', true],
    ['wel', false],
  ])
  expect(turns[1]?.error).toEqual({ type: 'TypeError', code: 'UND_ERR_SOCKET', message: 'terminated' })
})

test('CU-09 a turn is finished by its own answer, and holds all from its first attempt to the last tool that ran for it', () => {
  const call = chatCall('hi', 'hello')
  const interactions = numbered([failed(call, 429), call, toolRun('note', [1], null), chatCall('go on', 'well')])
  const [turn, next] = buildTrajectory({ interactions })
  expect([...(turn?.attempts ?? []), turn?.interaction, ...(turn?.toolRuns ?? [])].map((one) => one?.number)).toEqual([
    1, 2, 3,
  ])
  expect([turn?.finished, next?.interaction.number]).toEqual([true, 4])
})

test('CU-10 a turn that the recording marks as incomplete is not finished, though its answer reads so', () => {
  const interactions = numbered([{ ...chatCall('hi', 'hello'), incomplete: 'the log ends in it' }])
  expect(buildTrajectory({ interactions }).map(({ text, finished }) => [text, finished])).toEqual([['hello', false]])
})

test('a call that its caller aborted is a turn that is not finished', () => {
  const call = cutAfter(chatCall('hi', ''), 'hel')
  const body = { ...(call.response?.body as ResponseBody), end: { kind: 'aborted' } as const }
  const [turn] = buildTrajectory({
    interactions: numbered([{ ...call, response: { status: 200, headers: [], body } }]),
  })
  expect(turn).toMatchObject({ text: 'hel', finished: false, error: undefined })
})

test('a model call that failed for good is no turn', () => {
  expect(buildTrajectory({ interactions: numbered([failed(chatCall('hi', ''), 500)]) })).toEqual([])
})

test('an equal call that ran beside the failed one is no retry of it', () => {
  const [first, second] = numbered([failed(chatCall('hi', ''), 500), chatCall('hi', 'hello')])
  const interactions = [first, { ...second, overlaps: [1] }] as readonly Interaction[]
  expect(buildTrajectory({ interactions }).map(({ attempts }) => attempts)).toEqual([[]])
})

test('attempts are found though another call of the lane answered between them', () => {
  const call = chatCall('hi', 'hello')
  const interactions = numbered([failed(call, 429), chatCall('else', 'other'), call])
  expect(buildTrajectory({ interactions }).map(({ attempts }) => attempts.length)).toEqual([0, 1])
})

test('a model call of no known wire is a turn without blocks', () => {
  const call = modelCall('https://models.test/generate', { prompt: 'hi' }, { json: { generated: 'hello' } })
  expect(buildTrajectory({ interactions: numbered([call]) })[0]).toMatchObject({
    ...{ blocks: [], text: '', toolCalls: [], usage: undefined, model: undefined, settings: undefined },
    ...{ finishReason: undefined, finished: true, error: undefined },
  })
})

test('a tool that tape.tool recorded answers the call with its arguments, whatever the order', () => {
  const { url, requests, answers } = wireCalls['openai-chat']
  const [oslo, bergen] = searches
  const runs = [
    toolRun('search', [bergen], 'in Bergen'),
    toolRun('search', [oslo], 'in Oslo'),
    toolRun('log', [], null),
  ]
  const [turn] = buildTrajectory({ interactions: numbered([modelCall(url, requests[0], answers[0]), ...runs]) })
  expect(turn?.toolCalls.map(({ result }) => result)).toEqual([
    { output: 'in Oslo', from: 'run' },
    { output: 'in Bergen', from: 'run' },
  ])
  expect(turn?.toolRuns.map(({ request }) => request.name)).toEqual(['search', 'search', 'log'])
})

test("a server's tool answers the call that the model made of it, under its own name or with a prefix", () => {
  const { url, requests, answers } = wireCalls['openai-chat']
  const [oslo, bergen] = searches
  const named = (prefix: string): ResponseBody =>
    JSON.parse(JSON.stringify(answers[0]).replaceAll('search', `${prefix}search`))
  for (const prefix of ['', 'mcp__web__', 'web.']) {
    const runs = [toolRun('web.search', [bergen], 'in Bergen'), toolRun('web.search', [oslo], 'in Oslo')]
    const [turn] = buildTrajectory({ interactions: numbered([modelCall(url, requests[0], named(prefix)), ...runs]) })
    expect(turn?.toolCalls.map(({ result }) => result?.output)).toEqual(['in Oslo', 'in Bergen'])
  }
  const other = numbered([modelCall(url, requests[0], named('re')), toolRun('web.search', [oslo], 'in Oslo')])
  expect(buildTrajectory({ interactions: other })[0]?.toolCalls.map(({ result }) => result)).toEqual([
    undefined,
    undefined,
  ])
})

describe('AR-27 call ids that repeat', () => {
  const { url } = wireCalls['openai-chat']
  const ask = (to: string) => {
    const tool_calls = [{ id: 'call_0', type: 'function', function: { name: 'search', arguments: `{"to":"${to}"}` } }]
    return { role: 'assistant', content: null, tool_calls }
  }
  const result = (content: string) => ({ role: 'tool', tool_call_id: 'call_0', content })
  const user = { role: 'user', content: 'go' }
  const call = (messages: readonly Json[], message: Json) =>
    modelCall(url, { messages }, { json: { choices: [{ index: 0, message }] } })
  const outputs = (interactions: readonly Interaction[]) =>
    buildTrajectory({ interactions }).map(({ toolCalls }) => toolCalls[0]?.result?.output)
  const [oslo, bergen, done] = [ask('Oslo'), ask('Bergen'), { role: 'assistant', content: 'done' }]

  test('each turn has its own result', () => {
    const first = [user, oslo, result('one')]
    const last = call([...first, bergen, result('two')], done)
    expect(outputs(numbered([call([user], oslo), call(first, bergen), last]))).toEqual(['one', 'two', undefined])
  })

  test('a call that nobody answered has none, though an earlier one of its id has', () => {
    const first = [user, oslo, result('one')]
    const last = call([...first, user], done)
    expect(outputs(numbered([call([user], oslo), call(first, bergen), last]))).toEqual(['one', undefined, undefined])
  })

  test('a request that went out beside the call holds no result of it', () => {
    const [asks, beside, later] = numbered([
      call([user], oslo),
      call([user, bergen, result('of another')], done),
      call([user, oslo, result('own')], done),
    ]) as [Interaction, Interaction, Interaction]
    expect(outputs([asks, { ...beside, overlaps: [1] }, later])).toEqual(['own', undefined, undefined])
  })
})

test('lanes keep their own results, and a call without a result has none', () => {
  const [first, second] = agentRun('anthropic-messages') as [Interaction, Interaction]
  const interactions = numbered([first, { ...second, lane: 'other' }])
  const turns = buildTrajectory({ interactions })
  expect(turns.map(({ lane }) => lane)).toEqual([undefined, 'other'])
  expect(turns[0]?.toolCalls.map((call) => 'result' in call)).toEqual([false, false])
})

test('a fold is what the recording marks as one, and nothing else', () => {
  const calls = [
    { ...chatCall('Summarise the conversation', 'short'), fold: true } as const,
    chatCall('Summarise', 'x'),
  ]
  expect(buildTrajectory({ interactions: numbered(calls) }).map(({ isFold }) => isFold)).toEqual([true, false])
})

test('an answer is decoded when it is asked for, once', () => {
  let reads = 0
  const body = {
    get json() {
      reads += 1
      return { choices: [] }
    },
  } as ResponseBody
  const interactions = [modelCall(wireCalls['openai-chat'].url, {}, body)]
  const turns = buildTrajectory({ interactions })
  expect(reads).toBe(0)
  expect(turns[0]?.text).toBe('')
  const afterOne = reads
  expect(buildTrajectory({ interactions })[0]?.blocks).toEqual([])
  expect(afterOne).toBeGreaterThan(0)
  expect(reads).toBe(afterOne)
})

test('an answer in a side file is read from there', () => {
  const text = JSON.stringify({ choices: [{ index: 0, message: { role: 'assistant', content: 'from the side' } }] })
  const file = { file: 'a.bin', sha256: 'a', bytes: text.length }
  const interactions = numbered([modelCall(wireCalls['openai-chat'].url, {}, file)])
  const sideFiles = new Map([['a.bin', new TextEncoder().encode(text)]])
  expect(buildTrajectory({ interactions, sideFiles })[0]?.text).toBe('from the side')
})
