import { beforeAll, expect, test } from 'vitest'
import { createLifeProject } from './life-project.ts'
import { type Model, startModel } from './model.ts'

let model: Model
beforeAll(async () => {
  model = await startModel()
})

// A flight agent on the real SDK, its retries on: asks, runs the tools it is told to, answers. It swallows every error.
const agent = `
import OpenAI from 'openai'
let attempts = 0
const fetch = (...args) => {
  attempts += 1
  return globalThis.fetch(...args)
}
const client = new OpenAI({ baseURL: process.env.MODEL_URL + '/v1', fetch })
const parameters = (names) => ({ type: 'object', properties: Object.fromEntries(names.map((name) => [name, { type: 'string' }])) })
const tool = (name, names) => ({ type: 'function', function: { name, parameters: parameters(names) } })

/** Gives how often the SDK went to the network. */
export async function bookFlight(question, situation) {
  attempts = 0
  const instructions = 'You book flights. Always take the ' + (situation === 'prompt' ? 'fastest' : 'cheapest') + ' one, and say what it costs.'
  const tools = [tool('search', situation === 'schema' ? ['from', 'to', 'day'] : ['from', 'to']), tool('book', ['flight'])]
  const messages = [{ role: 'system', content: instructions }, { role: 'user', content: question }]
  const ask = async (settings) => {
    const body = { model: 'small', temperature: situation === 'temperature' ? 0.7 : 0.2, messages: [...messages], tools, ...settings }
    return (await client.chat.completions.create(body)).choices[0].message
  }
  try {
    for (;;) {
      const message = await ask({})
      messages.push(message)
      if (message.tool_calls === undefined) break
      for (const call of message.tool_calls) {
        const flights = [{ flight: 'DY1104', price: situation === 'result' ? 95 : 89 }, { flight: 'SK2676', price: 142 }]
        const result = call.function.name === 'search' ? flights : { booked: true }
        messages.push({ role: 'tool', tool_call_id: call.id, content: JSON.stringify(result) })
      }
    }
    if (situation === 'missing') return attempts
    const closing = ['Was that the last seat?', 'Thank the customer.']
    if (situation === 'swapped') closing.reverse()
    if (situation === 'extra') closing.push('One more thing?')
    for (const content of closing) await client.chat.completions.create({ model: 'small', messages: [{ role: 'user', content }] })
  } catch {}
  return attempts
}
`
// How many attempts the SDK makes in each situation: none after the call that diverged.
const situations = { prompt: 1, schema: 1, temperature: 1, result: 2, extra: 6, missing: 3, swapped: 4 }
const file = `
import { expect } from 'vitest'
import { test } from 'turntape/vitest'
import { bookFlight } from '../agent.js'
const changed = process.env.CHANGED !== undefined

for (const [situation, attempts] of Object.entries(${JSON.stringify(situations)})) {
  test(situation, async ({ tape }) => {
    expect(await bookFlight('Berlin to Oslo on Friday', changed ? situation : undefined)).toBe(changed ? attempts : 5)
  })
}
`

test('seven changes fail seven tests, once and at once, though the SDK retries and the agent swallows', async () => {
  const { run } = createLifeProject(model, { 'agent.js': agent, 'test/flight.test.js': file })
  const recording = await run([], { env: { OPENAI_API_KEY: 'sk-not-a-key' } })
  expect(recording.report, recording.output).toEqual(['Cassettes  7 written'])
  await model.reset()
  const replay = await run([], { env: { CHANGED: '1', CI: '1' } })
  expect(replay.report, replay.output).toEqual(['Cassettes  6 diverged | 1 unused'])
  expect(await model.count()).toBe(0)
  for (const situation of Object.keys(situations)) {
    const outcome = replay.tests[situation]
    expect(outcome?.status).toBe('failed')
    expect(outcome?.errors).toHaveLength(1)
    expect(outcome?.errors[0]).toMatchSnapshot(situation)
  }
})
