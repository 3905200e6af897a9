import { expect, test } from 'vitest'
import { createLifeProject } from './life-project.ts'
import { startModel } from './model.ts'

test('a placeholder for a key never goes out, from a test that is not covered either', async () => {
  const model = await startModel()
  const { run } = createLifeProject(model, {
    'a.test.js': `import OpenAI from 'openai'
import { expect, test } from 'vitest'

test('not covered', async () => {
  const client = new OpenAI({ baseURL: process.env.MODEL_URL + '/v1' })
  const call = client.chat.completions.create({ model: 'm', messages: [{ role: 'user', content: 'hello' }] })
  await expect(call).rejects.toThrow('is not set')
})
`,
  })
  const { tests, output } = await run()
  expect(tests['not covered'], output).toEqual({ status: 'passed', errors: [] })
})
