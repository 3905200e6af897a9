import { beforeAll, expect, test } from 'vitest'
import { createLifeProject } from './life-project.ts'
import { type Model, startModel } from './model.ts'

let model: Model
beforeAll(async () => {
  model = await startModel('four-wires-server.mjs')
})

// A client that cancels the body as soon as it has seen the last event; with READ_ON it waits for the end.
const file = `
import { test } from 'turntape/vitest'
import { expect } from 'vitest'
const asked = {
  '/v1/chat/completions': ['[DONE]\\n\\n', { messages: [{ role: 'user', content: 'hello' }] }],
  '/v1/messages': ['event: message_stop', { messages: [{ role: 'user', content: 'hello' }] }],
  '/v1/responses': ['event: response.completed', { input: [{ role: 'user', content: 'hello' }] }],
}
for (const [path, [last, body]] of Object.entries(asked)) {
  test('left at the end of ' + path, async () => {
    const init = { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify({ model: 'plan', stream: true, ...body }) }
    const response = await fetch(process.env.MODEL_URL + path, init)
    const reader = response.body.getReader()
    const decoder = new TextDecoder()
    let text = ''
    for (;;) {
      const { done, value } = await reader.read()
      if (done) break
      text += decoder.decode(value, { stream: true })
      if (!process.env.READ_ON && text.includes(last) && text.endsWith('\\n\\n')) {
        await reader.cancel()
        break
      }
    }
    expect(text).toContain(last)
  })
}
`

test('F10 a stream whose caller cancels it at the terminal event is stored as complete, and served to its end', async () => {
  const { project, run } = createLifeProject(model, { 'test/left.test.js': file })
  const recorded = await run()
  expect(recorded.report, recorded.output).toEqual(['Cassettes  3 written'])
  const bodies = project
    .cassettes()
    .map((path) => JSON.parse(project.read(`cassettes/${path}`)).interactions[0].response.body)
  expect(bodies.map(({ framing, end }) => [framing, end])).toEqual([
    ['sse', undefined],
    ['sse', undefined],
    ['sse', undefined],
  ])
  const replayed = await run([], { env: { CI: '1', READ_ON: '1' } })
  expect(replayed.report, replayed.output).toEqual(['Cassettes  3 replayed'])
})
