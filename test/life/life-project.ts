/** A project whose tests talk to the loopback model, and what one run of Vitest in it came to. */
import { createProject, type Project, type RunOptions } from '../projects/project.ts'
import type { Model } from './model.ts'

export interface TestOutcome {
  readonly status: string
  /** Each error of the test, its message without stack frames, as shown. */
  readonly errors: readonly string[]
}

export interface LifeRun {
  readonly code: number | null
  /** By full name; equal names get ` #2` and so on. */
  readonly tests: Readonly<Record<string, TestOutcome>>
  /** The lines of the report at the end of the run, trimmed. */
  readonly report: readonly string[]
  /** All that was printed, with the places that vary replaced. */
  readonly output: string
}

export interface LifeProject {
  readonly project: Project
  /** Runs Vitest with these arguments. */
  run(args?: readonly string[], options?: RunOptions): Promise<LifeRun>
  /** Statuses by full name of a run: `{ 'a test': 'passed' }`. */
  statuses(run: LifeRun): Readonly<Record<string, string>>
}

/** The code under test: a client of the model, without an SDK, so that runs start fast. */
const client = `const base = process.env.MODEL_URL
const headers = { 'content-type': 'application/json', authorization: 'Bearer x' }

export function post(messages, { switches = '', ...settings } = {}, init = {}) {
  const path = switches === '' ? '' : '/with/' + switches
  const body = JSON.stringify({ model: 'small', messages, ...settings })
  return fetch(base + path + '/v1/chat/completions', { method: 'POST', headers, body, ...init })
}

async function answered(text, settings) {
  const response = await post([{ role: 'user', content: text }], settings)
  if (!response.ok) throw new Error('the model answered ' + response.status + ': ' + (await response.text()))
  return response
}

export async function ask(text, settings) {
  const response = await answered(text, settings)
  return (await response.json()).choices[0].message.content
}

export async function askStreamed(text, settings) {
  const response = await answered(text, { ...settings, stream: true })
  let answer = ''
  for await (const chunk of response.body.pipeThrough(new TextDecoderStream())) answer += chunk
  return answer.split('\\n\\n').flatMap((event) => (event.startsWith('data: {') ? [JSON.parse(event.slice(6)).choices[0].delta.content ?? ''] : [])).join('')
}
`

export function createLifeProject(model: Model, files: Readonly<Record<string, string>>): LifeProject {
  const project = createProject({ 'client.js': client, ...files })
  return {
    project,
    async run(args = [], options = {}) {
      const env = { MODEL_URL: model.url, ...options.env }
      const reporters = ['--reporter=default', '--reporter=json', '--outputFile.json=result.json']
      const { code, stderr, output } = await project.vitest([...reporters, ...args], { ...options, env })
      const stable = (text: string): string => plain(text, { folder: project.folder, url: model.url })
      return { code, tests: outcomes(project, stable), report: reportLines(stable(stderr)), output: stable(output) }
    },
    statuses: ({ tests }) => Object.fromEntries(Object.entries(tests).map(([name, { status }]) => [name, status])),
  }
}

interface JsonResult {
  readonly testResults: readonly {
    readonly message: string
    readonly assertionResults: readonly {
      readonly fullName: string
      readonly status: string
      readonly failureMessages: readonly string[]
    }[]
  }[]
}

function outcomes(project: Project, stable: (text: string) => string): Readonly<Record<string, TestOutcome>> {
  if (!project.has('result.json')) return {}
  const result = JSON.parse(project.read('result.json')) as JsonResult
  const tests: Record<string, TestOutcome> = {}
  for (const { fullName, status, failureMessages } of result.testResults.flatMap((file) => file.assertionResults)) {
    let name = fullName
    for (let index = 2; name in tests; index++) name = `${fullName} #${index}`
    tests[name] = { status, errors: failureMessages.map((message) => stable(withoutFrames(message))) }
  }
  return tests
}

function withoutFrames(stack: string): string {
  return stack
    .split('\n')
    .filter((line) => !/^\s+at /.test(line))
    .join('\n')
    .trimEnd()
}

/** Colours, the project's folder and the model's port out. */
function plain(text: string, { folder, url }: { readonly folder: string; readonly url: string }): string {
  return (
    text
      // biome-ignore lint/suspicious/noControlCharactersInRegex: colours
      .replace(/\u001b\[[\d;]*m/g, '')
      .replaceAll(folder, '<project>')
      .replaceAll(new URL(url).host, '127.0.0.1:<port>')
  )
}

function reportLines(stderr: string): readonly string[] {
  const lines = stderr.split('\n')
  const start = lines.findIndex((line) => /^\s+Cassettes {2}/.test(line))
  if (start === -1) return []
  const lastOfBlock = lines.findIndex((line, at) => at > start && !/^ {13}\S/.test(line))
  return lines.slice(start, lastOfBlock === -1 ? undefined : lastOfBlock).map((line) => line.trim())
}
