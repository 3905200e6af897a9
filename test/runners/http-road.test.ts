/** `node:http` in each runner's kind of realm: recorded, served without a request, and refused where the call has changed. */
import { symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { type Model, startModel } from '../life/model.ts'
import { repository } from '../projects/package.ts'
import { createRunnerProject, type Runner } from './runner-project.ts'

let model: Model
beforeAll(async () => {
  model = await startModel()
})

const runners: readonly Runner[] = [
  { name: 'vitest', version: '4.1.12', form: ['--pool=forks'] },
  { name: 'jest', version: '30.5.2', form: 'cjs' },
  { name: 'jest', version: '30.5.2', form: 'esm' },
]

/** axios takes `follow-redirects`, which makes its call in a listener; the second file runs in the worker of the first. */
const scenario = `import { writeFileSync } from 'node:fs'
import { request as named } from 'node:http'
import { axios } from '../axios.js'
import { replay, plain } from '../runner.js'

const base = process.env.MODEL_URL
const chat = '/v1/chat/completions'
const replaying = process.env.CI !== undefined
const test = replay(plain, { capture: ['127.0.0.1'] })
const keep = (name, shown) => writeFileSync(name + (replaying ? '-replayed' : '-recorded') + '.json', JSON.stringify(shown))
const asking = (content, more) => ({ model: 'm', messages: [{ role: 'user', content }], ...more })
const shownOf = (error) => [error.name, error.code, error.message, error.response?.status, error.response?.data, error.cause?.code]

function posted(url, body) {
  return new Promise((resolve, reject) => {
    const chunks = []
    const call = named(url, { method: 'POST', headers: { 'content-type': 'application/json' } }, (response) => {
      response.setEncoding('utf8').on('data', (chunk) => chunks.push(chunk)).on('end', () => resolve(chunks))
      response.on('error', (error) => resolve([...chunks, error.code]))
    })
    call.on('error', (error) => reject(error)).end(JSON.stringify(body))
  })
}

test('a stream by a named import', async ({ tape }) => {
  const chunks = await posted(base + chat, asking('a b c', { stream: true }))
  keep('NAME-stream', [chunks, tape.turns.length])
})
test('a stream that breaks', async () => {
  keep('NAME-cut', await posted(base + '/with/cut=2' + chat, asking('a b c', { stream: true })))
})
test('axios, a model call and a page', async ({ tape }) => {
  const { data } = await axios.post(base + chat, asking('plain'))
  const page = await axios.get(base + '/page')
  keep('NAME-axios', [data, page.data, page.headers['content-type'], tape.interactions.map(({ kind }) => kind)])
})
test('nobody there', async () => {
  keep('NAME-nobody', shownOf(await axios.post('http://127.0.0.1:1' + chat, asking('x')).catch((error) => error)))
})
test('a changed model call', async () => {
  const error = await axios.post(base + chat, asking(replaying ? 'after' : 'before')).catch((error) => error)
  if (replaying) keep('NAME-model', shownOf(error))
})
test('a changed page', async () => {
  const error = await axios.get(base + (replaying ? '/after' : '/before')).catch((error) => error)
  if (replaying) keep('NAME-page', shownOf(error))
})
`

const unchanged = ['stream', 'cut', 'axios', 'nobody']

test.for(runners)('under $name $version $form', { timeout: 120_000 }, async (runner, { skip }) => {
  const project = await createRunnerProject(runner, process.versions.node)
  if ('missing' in project) return skip(project.missing)
  symlinkSync(join(repository, 'node_modules/axios'), join(project.project.folder, 'node_modules/axios'), 'junction')
  await model.reset()
  const isCommonJs = runner.form === 'cjs'
  project.write({
    'axios.js': isCommonJs
      ? "module.exports = { axios: require('axios') }"
      : "export { default as axios } from 'axios'",
    'test/first.test.js': scenario.replaceAll('NAME', 'first'),
    'test/second.test.js': scenario.replaceAll('NAME', 'second'),
  })
  const oneWorker = runner.name === 'jest' ? ['--runInBand'] : ['--no-file-parallelism']
  const recorded = await project.run(oneWorker, { MODEL_URL: model.url })
  expect([recorded.code, recorded.counts], recorded.output).toEqual([0, '12 written'])
  const live = await model.count()
  expect(live).toBe(2 * 6)

  const replayed = await project.run(oneWorker, { MODEL_URL: model.url, CI: '1' })
  expect(await model.count()).toBe(live)
  const read = (name: string) => JSON.parse(project.project.read(`${name}.json`))
  for (const file of ['first', 'second']) {
    const of = (part: string, run: string): unknown => read(`${file}-${part}-${run}`)
    for (const part of unchanged) expect(of(part, 'replayed')).toEqual(of(part, 'recorded'))
    expect(of('stream', 'recorded')).toMatchObject([expect.arrayContaining([expect.stringContaining('[DONE]')]), 1])
    expect((of('cut', 'recorded') as unknown[]).at(-1)).toBe('ECONNRESET')
    expect(of('axios', 'recorded')).toMatchObject([
      { model: 'm' },
      'you asked for /page',
      'text/plain',
      ['model', 'http'],
    ])
    expect((of('nobody', 'recorded') as unknown[])[1]).toBe('ECONNREFUSED')
    const miss = { error: { message: expect.stringContaining('TURNTAPE_') } }
    expect((of('model', 'replayed') as unknown[]).slice(0, 5)).toMatchObject([
      'AxiosError',
      'ERR_BAD_REQUEST',
      expect.any(String),
      400,
      miss,
    ])
    expect((of('page', 'replayed') as unknown[])[5]).toMatch(/^TURNTAPE_/)
  }
  const failed = Object.entries(replayed.statuses).filter(([, status]) => status === 'failed')
  expect(failed.map(([name]) => name.replace(/ #2$/, ''))).toEqual(
    expect.arrayContaining(['a changed model call', 'a changed page']),
  )
  expect([failed.length, Object.keys(replayed.statuses).length], replayed.output).toEqual([4, 12])
})
