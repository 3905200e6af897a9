/** The trajectory of a real run: tape members, matchers and checks in a child Vitest, recorded and then replayed. */
import { beforeAll, expect, test } from 'vitest'
import { createLifeProject } from '../life/life-project.ts'
import { type Model, startModel } from '../life/model.ts'

let model: Model
beforeAll(async () => {
  model = await startModel()
})

const agent = `
import { post } from './client.js'
const tool = (name) => ({ type: 'function', function: { name, parameters: { type: 'object' } } })

export async function agent(tape, { prompt = 'Be brief.', tools = ['search', 'book'] } = {}) {
  const messages = [{ role: 'system', content: prompt }, { role: 'user', content: 'To Oslo' }]
  for (;;) {
    const { messages: sent, ...settings } = tape.applyRecordedSettings({ messages, tools: tools.map(tool) })
    const response = await post(sent, settings)
    const { message } = (await response.json()).choices[0]
    messages.push(message)
    if (!message.tool_calls) return message.content
    for (const { id, function: { name } } of message.tool_calls) messages.push({ role: 'tool', tool_call_id: id, content: name + ' done' })
  }
}
`

const file = `
import { compareCassettes, checkCassette, openCassette } from 'turntape'
import { test } from 'turntape/vitest'
import { expect } from 'vitest'
import { agent } from './agent.js'
import { ask } from './client.js'

const changed = process.env.CHANGED === '1' ? { prompt: 'Be long.', tools: ['search', 'book', 'cancel'] } : {}

test('books', async ({ tape }) => {
  expect(await agent(tape, changed)).toBe('answer to: To Oslo')
  const summary = await tape.fold(() => ask('Summarise'))
  expect(tape).toHaveTrajectory(['search', 'book'])
  expect(tape).toHaveCalledTool('book', { step: expect.any(Number) })
  expect(tape).toHaveFinalText(/Oslo/)
  expect(tape).toUseAtMost({ inputTokens: 40, totalTokens: 60 })
  expect(tape.turns.map(({ isFold }) => isFold)).toEqual([false, false, false, true])
  expect(tape.turns[0].toolCalls[0].result).toEqual({ output: 'search done', from: 'request' })
  expect(tape.usage.byModel.small.totalTokens).toBe(60)
  expect(tape.settingsAt(1)).toMatchObject({ model: 'small', instructions: 'Be brief.', tools: [{ name: 'search' }, { name: 'book' }] })
  expect([tape.settingsAt(0), tape.settingsAt(5)]).toEqual([undefined, undefined])
  if (tape.recorded.length > 0) {
    const opened = openCassette(tape.cassettePath)
    expect(compareCassettes(opened, tape)).toMatchObject({ identical: true })
    expect(checkCassette(opened)).toEqual({ replayable: true, problems: [] })
    expect(opened).toHaveTrajectory(['search', 'book'])
  }
})
`

const failing = `
import { openCassette } from 'turntape'
import { test } from 'vitest'
import { expect } from 'vitest'
import 'turntape/vitest'

const opened = () => openCassette('cassettes/books.test/books.json')
test('trajectory', () => { expect(opened()).toHaveTrajectory(['search', 'cancel']) })
test('budget', () => { expect(opened()).toUseAtMost({ totalTokens: 59 }) })
`

test('AR-12 turns, usage, settings, folds and matchers say the same recorded and replayed, of a rebuilt prompt too', async () => {
  const { project, run } = createLifeProject(model, { 'agent.js': agent, 'books.test.js': file })
  await model.reset()
  const recording = await run()
  expect(recording.tests, recording.output).toEqual({ books: { status: 'passed', errors: [] } })
  expect(project.read('cassettes/books.test/books.json').match(/"fold": true/g)).toHaveLength(1)

  const replaying = await run([], { env: { CI: '1', CHANGED: '1' } })
  expect(replaying.tests, replaying.output).toEqual({ books: { status: 'passed', errors: [] } })
  expect(await model.count()).toBe(4)

  project.write({ 'failing.test.js': failing })
  const failed = await run(['failing.test.js'], { env: { CI: '1' } })
  expect(
    Object.fromEntries(Object.entries(failed.tests).map(([name, { errors }]) => [name, errors[0]])),
  ).toMatchInlineSnapshot(`
    {
      "budget": "Error: expected the run to use fewer tokens

    60 tokens (at most 59)
    small: 60 tokens",
      "trajectory": "Error: expected the tool calls to be (strict): search, cancel

    called: search, book
    call 2 was: turn 2: book {"step":2}
    call 2 expected: cancel",
    }
  `)
})
