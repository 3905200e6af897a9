import { describe, expect, it } from 'vitest'
import { startModel } from '../life/model.ts'
import type { Runner } from '../runners/runner-project.ts'
import { modelUrl, NeighbourProject } from './neighbour-project.ts'

const model = await startModel()

/** What `own.test` answers is the tool's alone; nothing is said of `taped.test`. */
const passthrough = `const test = replay(plain, { passthrough: ['own.test'] })`

/** The tools as their users set them up: before the file's tests, and in the midst of one. */
const files = {
  'test/msw.test.js': `import { http, HttpResponse } from 'msw'
import { setupServer } from 'msw/node'
import { afterAll, beforeAll, describe, plain, replay } from '../runner.js'
import { answerOf, scene, sceneAfter } from '../scene.js'

${passthrough}
const mocked = (host) => http.get('http://' + host + '/:what', () => HttpResponse.json(answerOf(host)))
const server = setupServer(mocked('own.test'), mocked('taped.test'))
const listen = () => server.listen({ onUnhandledRequest: 'bypass' })

describe('msw', () => {
  beforeAll(listen)
  afterAll(() => server.close())
  test('listening before', ({ tape }) => scene('msw before', tape))
})
test('msw, listening within', async ({ tape }) => {
  listen()
  await scene('msw within', tape)
  server.close()
})
test('msw, closed', ({ tape }) => sceneAfter('msw after', tape))
`,
  'test/nock.test.js': `import nock from 'nock'
import { afterAll, beforeAll, describe, plain, replay } from '../runner.js'
import { answerOf, scene, sceneAfter } from '../scene.js'

${passthrough}
nock.restore()
function start() {
  if (!nock.isActive()) nock.activate()
  for (const host of ['own.test', 'taped.test']) nock('http://' + host).persist().get(/.*/).reply(200, () => answerOf(host))
}
function stop() {
  nock.cleanAll()
  nock.restore()
}

describe('nock', () => {
  beforeAll(start)
  afterAll(stop)
  test('active before', ({ tape }) => scene('nock before', tape))
})
test('nock, active within', async ({ tape }) => {
  start()
  await scene('nock within', tape)
  stop()
})
test('nock, restored', ({ tape }) => sceneAfter('nock after', tape))
`,
}

const runners: readonly Runner[] = [
  { name: 'vitest', version: '4.1.12', form: [] },
  { name: 'jest', version: '30.5.2', form: 'esm' },
]

describe.each(runners)('msw 2 and nock 14 under $name', { timeout: 120_000 }, (runner) => {
  it('answer what is their own, recorded and replayed, and are gone when they say so', async () => {
    const project = await NeighbourProject.create(runner, { model, files })
    const recorded = await project.run('recorded')
    expect(recorded.outcome).toMatchObject({ code: 0, counts: '6 written' })
    const live = await model.count()
    const replayed = await project.run('replayed', { CI: 'true' })
    expect(replayed.outcome).toMatchObject({ code: 0, counts: '6 replayed' })
    expect(await model.count()).toBe(live)

    for (const tool of ['msw', 'nock']) {
      for (const name of [`${tool} before`, `${tool} within`]) {
        const answered = {
          answer: `answer to: ${name}`,
          own: 'the mock of own.test',
          ownByHttp: 'the mock of own.test',
        }
        for (const { shown } of [recorded, replayed]) {
          expect(shown[name]).toMatchObject(answered)
          expect(shown[name]?.asked['own.test']).toBe(2)
          expect(shown[name]?.tape.filter((url) => !url.startsWith('taped.test'))).toEqual([modelUrl, modelUrl])
          // Who is asked first depends on the order, the road and the tool; the answer is the same.
          expect([shown[name]?.taped, shown[name]?.tapedByHttp]).toEqual(Array(2).fill('the mock of taped.test'))
        }
        expect(replayed.shown[name]?.streamed).toBe(recorded.shown[name]?.streamed)
      }
      const gone = { own: 'nobody', answer: `answer to: ${tool} after`, tape: [modelUrl, modelUrl] }
      for (const { shown } of [recorded, replayed]) expect(shown[`${tool} after`]).toMatchObject(gone)
    }
  })
})
