/** A project in a temporary folder with the packed package and one version of one runner in it. */
import { cpSync, lstatSync, mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { inject, onTestFinished } from 'vitest'
import { nodeBinary } from '../../scripts/node-versions.mjs'
import { runnerFolder } from '../../scripts/runner-versions.mjs'
import { repository } from '../projects/package.ts'
import { Project, type RunResult } from '../projects/project.ts'

export interface Runner {
  readonly name: 'vitest' | 'jest'
  readonly version: string
  /** Of Vitest: its pool, and more arguments. Of Jest: the form of the test files. */
  readonly form: 'cjs' | 'esm' | readonly string[]
  /** Of Jest: with ts-jest, babel-jest and swc beside it. */
  readonly transforms?: boolean
}

export interface Outcome {
  readonly code: number | null
  /** Status by full name (names joined with a blank); equal names get ` #2` and so on. */
  readonly statuses: Readonly<Record<string, string>>
  /** First lines of each test's errors. */
  readonly errors: Readonly<Record<string, readonly string[]>>
  /** What was counted at the end, without label and colours, separated as Vitest does: `1 written | 2 replayed`; undefined where nothing was. */
  readonly counts: string | undefined
  /** The lines below it. */
  readonly notes: readonly string[]
  readonly output: string
}

/** Packages of ours that the package needs at run time. */
const dependencies = ['diff', 'picocolors', 'picomatch']

export class RunnerProject {
  readonly project: Project
  readonly runner: Runner
  /** The program that runs it. */
  readonly node: string

  constructor(project: Project, { runner, node }: { readonly runner: Runner; readonly node: string }) {
    this.project = project
    this.runner = runner
    this.node = node
  }

  /** Test files are written as ES modules; where the runner wants CommonJS they are turned into it. */
  write(files: Readonly<Record<string, string>>): void {
    const adapted = Object.entries(files).map(([path, text]) => [
      path,
      this.runner.form === 'cjs' && path.endsWith('.js') ? asCommonJs(text) : text,
    ])
    this.project.write(Object.fromEntries(adapted))
  }

  async run(args: readonly string[] = [], env: Readonly<Record<string, string>> = {}): Promise<Outcome> {
    rmSync(join(this.project.folder, 'result.json'), { force: true })
    const result = await this.#start(args, env)
    return outcomeOf(this.project, result)
  }

  /** The arguments that run one test file. */
  only(file: string): readonly string[] {
    return this.runner.name === 'jest' ? ['--runTestsByPath', file] : [file]
  }

  #start(args: readonly string[], env: Readonly<Record<string, string>>): Promise<RunResult> {
    const { name, form } = this.runner
    const { node } = this
    if (name === 'jest') {
      const flags = form === 'esm' ? ['--experimental-vm-modules', '--no-warnings'] : []
      const jest = ['node_modules/jest/bin/jest.js', '--json', '--outputFile=result.json', ...args]
      return this.project.node([...flags, ...jest], { node, env })
    }
    const reporters = ['--reporter=default', '--reporter=json', '--outputFile.json=result.json']
    return this.project.vitest([...reporters, ...(form as readonly string[]), ...args], { node, env })
  }
}

/** Removed when the test has finished, or when `atEnd` calls what it is given. Gives the reason where the version cannot be had. */
export async function createRunnerProject(
  runner: Runner,
  nodeVersion: string,
  atEnd: (remove: () => void) => void = onTestFinished,
): Promise<RunnerProject | { readonly missing: string }> {
  const found = await runnerFolder(runner)
  if ('missing' in found) return found
  const node = await nodeBinary(nodeVersion)
  if ('missing' in node) return node
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'runner-')))
  atEnd(() => rmSync(folder, { recursive: true, force: true }))
  const modules = join(folder, 'node_modules')
  mkdirSync(modules)
  linkPackages(join(found.folder, 'node_modules'), modules)
  for (const name of dependencies) {
    mkdirSync(join(modules, name, '..'), { recursive: true })
    linkInto(join(repository, 'node_modules', name), join(modules, name))
  }
  cpSync(inject('packageFolder'), join(modules, 'turntape'), { recursive: true })
  const project = new RunnerProject(new Project(folder), { runner, node: node.binary })
  project.write(runner.name === 'jest' ? jestFiles(runner) : vitestFiles)
  return project
}

/** Scoped ones one by one, so that ours can stand beside them. */
function linkPackages(from: string, to: string): void {
  for (const name of readdirSync(from)) {
    if (name.startsWith('.')) continue
    if (!name.startsWith('@')) {
      linkInto(join(from, name), join(to, name))
      continue
    }
    mkdirSync(join(to, name))
    linkPackages(join(from, name), join(to, name))
  }
}

function linkInto(from: string, to: string): void {
  if (lstatSync(to, { throwIfNoEntry: false }) !== undefined) rmSync(to)
  symlinkSync(from, to, 'junction')
}

const vitestFiles = {
  'package.json': '{ "name": "project", "private": true, "type": "module" }\n',
  'vitest.config.mjs': `import { replayPlugin } from 'turntape/vitest'
export default { plugins: [replayPlugin()], test: { include: ['test/**/*.test.js'], allowOnly: true } }
`,
  'runner.js': `import { describe, test as plain, vi } from 'vitest'
export { afterAll, afterEach, beforeAll, beforeEach, describe, expect } from 'vitest'
export { replay, test, useReplay, recordTools } from 'turntape/vitest'
export { plain }
export const fake = vi
export const reload = async () => { vi.resetModules(); return import('turntape/vitest') }
export const failing = (test) => test.fails
export const retrying = (name, times, body) => describe(name, { retry: times }, body)
`,
}

function jestFiles({ form }: Runner): Readonly<Record<string, string>> {
  const type = form === 'esm' ? '"module"' : '"commonjs"'
  return {
    'package.json': `{ "name": "project", "private": true, "type": ${type} }\n`,
    'jest.config.json':
      '{ "preset": "turntape/jest", "transform": {}, "testMatch": ["<rootDir>/test/**/*.test.js"] }\n',
    'runner.js':
      form === 'esm'
        ? `import { jest } from '@jest/globals'
export { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test as plain } from '@jest/globals'
export { replay, test, useReplay, recordTools } from 'turntape/jest'
export const fake = jest
export const reload = async () => { jest.resetModules(); return import('turntape/jest') }
export const failing = (test) => test.failing
export const retrying = (name, times, body) => { jest.retryTimes(times); describe(name, body) }
`
        : `module.exports = {
  ...require('turntape/jest'), afterAll, afterEach, beforeAll, beforeEach, describe, expect, plain: test, fake: jest,
  failing: (test) => test.failing,
  reload: async () => { jest.resetModules(); return require('turntape/jest') },
  retrying: (name, times, body) => { jest.retryTimes(times); describe(name, body) },
}
`,
  }
}

function asCommonJs(text: string): string {
  const names: string[] = []
  const body = text
    .replace(/^import \{([^}]*)\} from ('[^']*')$/gm, (_, list: string, from: string) => {
      return `const {${list.replaceAll(' as ', ': ')}} = require(${from})`
    })
    .replace(/^export ((?:async )?function|const) (\w+)/gm, (_, kind: string, name: string) => {
      names.push(name)
      return `${kind} ${name}`
    })
  return names.length === 0 ? body : `${body}\nObject.assign(module.exports, { ${names.join(', ')} })\n`
}

interface JsonResult {
  readonly testResults: readonly {
    readonly name: string
    readonly assertionResults: readonly {
      readonly ancestorTitles: readonly string[]
      readonly title: string
      readonly status: string
      readonly failureMessages: readonly string[] | null
    }[]
  }[]
}

function outcomeOf(project: Project, { code, stderr, output }: RunResult): Outcome {
  const statuses: Record<string, string> = {}
  const errors: Record<string, readonly string[]> = {}
  const result: JsonResult = project.has('result.json') ? JSON.parse(project.read('result.json')) : { testResults: [] }
  const files = [...result.testResults].sort((a, b) => (a.name < b.name ? -1 : 1))
  for (const { ancestorTitles, title, status, failureMessages } of files.flatMap((file) => file.assertionResults)) {
    const fullName = [...ancestorTitles, title].filter((name) => name !== '').join(' ')
    let name = fullName
    for (let index = 2; name in statuses; index++) name = `${fullName} #${index}`
    // Runners differ in what they call a test that was not run.
    statuses[name] = status === 'pending' || status === 'todo' || status === 'disabled' ? 'skipped' : status
    if (failureMessages?.length) errors[name] = failureMessages.map((message) => message.split('\n')[0] ?? '')
  }
  return { code, statuses, errors, ...block(stderr), output }
}

function block(stderr: string): { readonly counts: string | undefined; readonly notes: readonly string[] } {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: colours
  const lines = stderr.replace(/\u001b\[[\d;]*m/g, '').split('\n')
  const start = lines.findIndex((line) => /^\s*Cassettes:? {2}/.test(line))
  if (start === -1) return { counts: undefined, notes: [] }
  const end = lines.findIndex((line, at) => at > start && !/^ {13}\S/.test(line))
  const [counts = '', ...notes] = lines.slice(start, end === -1 ? undefined : end)
  return {
    counts: counts.replace(/^\s*Cassettes:?\s*/, '').replaceAll(', ', ' | '),
    notes: notes.map((line) => line.trim()),
  }
}
