/** A project in which a tool that mocks HTTP is at work beside the tape, in either runner; what its tests showed. */
import { symlinkSync } from 'node:fs'
import { join } from 'node:path'
import type { Model } from '../life/model.ts'
import { repository } from '../projects/package.ts'
import { createRunnerProject, type Outcome, type Runner, type RunnerProject } from '../runners/runner-project.ts'

export interface Shown {
  /** What the tool answered by `fetch` and by `node:http`: on a host of its own, and on one that nothing is said of. */
  readonly own: string
  readonly ownByHttp: string
  readonly taped: string
  readonly tapedByHttp: string
  /** How often the tool was asked, by host. */
  readonly asked: Readonly<Record<string, number>>
  readonly answer: string
  readonly streamed: string
  /** Host and path of the calls that the tape has. */
  readonly tape: readonly string[]
}

/** The model, as a cassette names it. */
export const modelUrl = 'localhost/v1/chat/completions'

/** The part of each test that is the same: calls of both kinds, and what came of them. */
const scene = `
import { mkdirSync, writeFileSync } from 'node:fs'
import nodeHttp from 'node:http'

const model = process.env.MODEL_URL + '/v1/chat/completions'
export const asked = {}

export function answerOf(host) {
  asked[host] = (asked[host] ?? 0) + 1
  return { by: 'the mock of ' + host }
}

export async function scene(name, tape) {
  for (const host of Object.keys(asked)) delete asked[host]
  const own = (await (await fetch('http://own.test/answer')).json()).by
  const ownByHttp = (await byHttp('http://own.test/answer')).by
  const taped = (await (await fetch('http://taped.test/answer')).json()).by
  const tapedByHttp = (await byHttp('http://taped.test/other')).by
  keep(name, { own, ownByHttp, taped, tapedByHttp, asked: { ...asked }, ...(await askedModel(name, tape)) })
}

/** The tool is gone. */
export async function sceneAfter(name, tape) {
  const own = await fetch('http://own.test/answer').then(() => 'somebody', () => 'nobody')
  keep(name, { own, ...(await askedModel(name, tape)) })
}

async function askedModel(name, tape) {
  const answer = (await (await ask(name, false)).json()).choices[0].message.content
  const streamed = []
  for await (const chunk of (await ask(name, true)).body) streamed.push(Buffer.from(chunk).toString())
  return { answer, streamed: streamed.join(''), tape: tape.interactions.map(({ request }) => placeOf(new URL(request.url))) }
}

const placeOf = ({ hostname, pathname }) => hostname + pathname

function keep(name, shown) {
  mkdirSync('shown/' + process.env.RUN, { recursive: true })
  writeFileSync('shown/' + process.env.RUN + '/' + name + '.json', JSON.stringify(shown))
}

function ask(text, stream) {
  const body = JSON.stringify({ model: 'small', messages: [{ role: 'user', content: text }], stream })
  return fetch(model, { method: 'POST', headers: { 'content-type': 'application/json' }, body })
}

function byHttp(url) {
  return new Promise((resolve, reject) => {
    const call = nodeHttp.get(url, (response) => {
      let text = ''
      response.setEncoding('utf8').on('data', (more) => (text += more)).on('end', () => resolve(JSON.parse(text)))
    })
    call.on('error', reject)
  })
}
`

export class NeighbourProject {
  readonly #runner: RunnerProject
  readonly #model: Model

  private constructor(runner: RunnerProject, model: Model) {
    this.#runner = runner
    this.#model = model
  }

  static async create(runner: Runner, { model, files }: { model: Model; files: Readonly<Record<string, string>> }) {
    const made = await createRunnerProject(runner, process.versions.node)
    if ('missing' in made) throw new Error(made.missing)
    for (const name of ['msw', 'nock']) {
      const link = join(made.project.folder, 'node_modules', name)
      symlinkSync(join(repository, 'node_modules', name), link, 'junction')
    }
    made.write({ 'scene.js': scene, ...files })
    return new NeighbourProject(made, model)
  }

  /** One run of the project, and what its scenes showed, by their names. */
  async run(name: string, env: Readonly<Record<string, string>> = {}) {
    const outcome: Outcome = await this.#runner.run([], { MODEL_URL: this.#model.url, RUN: name, ...env })
    const { project } = this.#runner
    const shown = project
      .files(`shown/${name}`)
      .map((file) => [file.replace('.json', ''), JSON.parse(project.read(`shown/${name}/${file}`)) as Shown])
    return { outcome, shown: Object.fromEntries(shown) as Readonly<Record<string, Shown>> }
  }
}
