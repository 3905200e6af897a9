/** A project whose tests send every planned request with plain fetch, read it chunk by chunk, and write down what they saw. */
import { join } from 'node:path'
import type { Project } from '../projects/project.ts'
import { createProject } from '../projects/project.ts'
import type { PlannedFile } from './plan.ts'

/** One exchange as the client saw it. */
export interface Seen {
  /** The error that the call itself rejected with. */
  readonly rejected?: readonly SeenError[]
  readonly status?: number
  readonly statusText?: string
  readonly url?: string
  readonly redirected?: boolean
  readonly type?: string
  readonly headers?: readonly (readonly [name: string, value: string])[]
  readonly hasBody?: boolean
  /** Byte lengths of the chunks, in order. */
  readonly chunks?: readonly number[]
  readonly bytes?: string
  /** The error that the body failed with. */
  readonly failed?: readonly SeenError[]
}

/** An error and then its causes. */
export interface SeenError {
  readonly kind: string
  readonly name: string
  readonly message: string
  readonly code?: string
}

export interface SeenFile {
  readonly file: string
  readonly exchanges: readonly Seen[]
}

const testFile = `
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { test } from 'turntape/vitest'

const plan = JSON.parse(readFileSync('plan.json', 'utf8'))
const folder = 'seen-' + process.env.RUN
mkdirSync(folder, { recursive: true })

for (const [index, { file, url, requests }] of plan.entries()) {
  test(file, async () => {
    const exchanges = []
    for (const request of requests) exchanges.push(await send(url, request))
    writeFileSync(folder + '/' + index + '.json', JSON.stringify({ file, exchanges }))
  })
}

async function send(url, { method, path, headers, body }) {
  const init = { method, headers, redirect: 'manual' }
  if (body !== undefined) init.body = Buffer.from(body, 'base64')
  let response
  try {
    response = await fetch(url + path, init)
  } catch (error) {
    return { rejected: chainOf(error) }
  }
  const { status, statusText, redirected, type } = response
  const seen = { status, statusText, redirected, type, url: response.url, headers: [...response.headers] }
  const chunks = []
  let failed
  try {
    const reader = response.body?.getReader()
    for (;;) {
      const { done, value } = (await reader?.read()) ?? { done: true }
      if (done) break
      chunks.push(value)
    }
  } catch (error) {
    failed = chainOf(error)
  }
  const bytes = Buffer.concat(chunks).toString('base64')
  return { ...seen, hasBody: response.body !== null, chunks: chunks.map((chunk) => chunk.length), bytes, failed }
}

function chainOf(error) {
  const chain = []
  for (let at = error; at instanceof Error; at = at.cause) {
    // Causes are of classes that no user code can name.
    const kind = chain.length === 0 ? at.constructor.name : 'cause'
    const { name, message, code } = at
    chain.push({ kind, name, message, code })
  }
  return chain
}
`

const configuration = `
import { replayPlugin } from 'turntape/vitest'
import { defineConfig } from 'vitest/config'
export default defineConfig({
  plugins: [replayPlugin({ capture: ['127.0.0.1'] })],
  test: { testTimeout: 60_000 },
})
`

export class CorpusProject {
  readonly #project: Project
  readonly #files: number

  constructor(files: readonly PlannedFile[], urls: readonly string[]) {
    const plan = files.map(({ file, requests }, index) => ({ file, url: urls[index], requests }))
    this.#files = files.length
    this.#project = createProject({
      'vitest.config.ts': configuration,
      'corpus.test.ts': testFile,
      'plan.json': JSON.stringify(plan),
      'elsewhere/README': 'home and temporary folder of the runs: no path of the corpus stands below it\n',
    })
  }

  /** Runs every test; the output, and what each file's test saw. */
  async run(run: string, env: Readonly<Record<string, string>> = {}) {
    const elsewhere = join(this.#project.folder, 'elsewhere')
    const places = { HOME: elsewhere, USERPROFILE: elsewhere, TMPDIR: elsewhere, TEMP: elsewhere, TMP: elsewhere }
    const { output, code } = await this.#project.vitest([], { env: { RUN: run, ...places, ...env } })
    const seen = new Map<string, readonly Seen[]>()
    for (const name of this.#project.files(`seen-${run}`)) {
      const { file, exchanges } = JSON.parse(this.#project.read(`seen-${run}/${name}`)) as SeenFile
      seen.set(file, exchanges)
    }
    return { output, code, seen, whole: seen.size === this.#files }
  }
}
