/** Runs the project through every run of the table and says, in the table's words, what became of each twin. */
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { cassettePath } from '../../src/core/cassette/cassette-path.ts'
import type { RunReport } from '../../src/session/run/run-report.ts'
import type { Model } from '../life/model.ts'
import type { Runner, RunnerProject } from '../runners/runner-project.ts'
import { applyToFiles, createParityProject } from './parity-project.ts'
import { type Fact, type Run, type RunName, runNames, runs } from './table.ts'

/** One of two twins, or a test with both. */
export interface Twin {
  readonly test: string
  /** Its file, without folder and extension. */
  readonly file: string
}

/** In the order of `facts`. */
export interface Observed {
  readonly output: string
  snapshot(twin: Twin): readonly Fact[]
  cassette(twin: Twin, says: string): readonly Fact[]
}

/** What is stored for each test, by `<test file>: <test>`. */
type Stored = ReadonlyMap<string, readonly string[]>

interface Results {
  readonly testResults: readonly FileResult[]
  readonly snapshot: {
    readonly uncheckedKeysByFile: readonly { readonly filePath: string; readonly keys: readonly string[] }[]
    /** Of Jest: snapshot files without a test file. */
    readonly filesRemovedList?: readonly string[]
  }
}

interface FileResult {
  /** The path of the test file. */
  readonly name: string
  readonly status: string
  readonly assertionResults: readonly { readonly title: string; readonly status: string }[]
}

/** One after the other, each from what a first run has recorded. */
export async function observeAll(runner: Runner, model: Model): Promise<ReadonlyMap<RunName, Observed>> {
  const created = await createParityProject(runner)
  const recording = await created.run(oneWorker(created), { MODEL_URL: model.url })
  if (recording.code !== 0) throw new Error(recording.output)
  const committed = committedFiles(created)
  const observed = new Map<RunName, Observed>()
  for (const name of runNames) {
    restore(created, committed)
    await model.reset()
    observed.set(name, await observe(created, { name, model }))
  }
  return observed
}

/** Takes half the time of workers that start beside each other. */
function oneWorker({ runner }: RunnerProject): readonly string[] {
  return runner.name === 'jest' ? ['--runInBand'] : ['--maxWorkers=1', '--no-isolate']
}

async function observe(
  created: RunnerProject,
  { name, model }: { readonly name: RunName; readonly model: Model },
): Promise<Observed> {
  const { project } = created
  const { edits, args = [], file, env = {} }: Run = runs[name]
  applyToFiles(created, edits)
  const picked = file === undefined ? [] : created.only(file)
  const before = { snapshot: storedSnapshots(created), cassette: storedCassettes(created) }
  const { output } = await created.run([...picked, ...oneWorker(created), ...args], {
    MODEL_URL: model.url,
    TURNTAPE_REPORT: 'report.json',
    ...env,
    ...Object.fromEntries(edits.map((edit) => [edit, '1'])),
  })
  const results: Results = JSON.parse(project.read('result.json'))
  const report: RunReport = JSON.parse(project.read('report.json'))
  const asked = (await model.log()).map(({ body }): string => body.messages[0].content)
  const after = { snapshot: storedSnapshots(created), cassette: storedCassettes(created) }
  return {
    output,
    snapshot: (twin) => {
      const change = changeOf(twin, before.snapshot, after.snapshot)
      return [stateOf(twin, results), change, ...(isLost(change) ? [] : toldOfSnapshot(twin, results))]
    },
    cassette: (twin, says) => {
      const change = changeOf(twin, before.cassette, after.cassette)
      return [
        stateOf(twin, results),
        change,
        ...(isLost(change) ? [] : toldOfCassette(twin, report)),
        ...(asked.some((text) => text === says || text.startsWith(`${says},`)) ? (['live'] as const) : []),
      ]
    },
  }
}

function stateOf({ test, file }: Twin, { testResults }: Results): Fact {
  const ofFile = testResults.filter(({ name }) => name.endsWith(`/${file}.test.js`))
  const own = ofFile.flatMap(({ assertionResults }) => assertionResults).filter(({ title }) => title === test)
  if (own.some(({ status }) => status === 'failed')) return 'fails'
  return own.some(({ status }) => status === 'passed') ? 'passes' : 'not run'
}

/** What is said of it then is that it was removed. */
function isLost(change: Fact): boolean {
  return change === 'removed' || change === 'updated'
}

function changeOf({ test, file }: Twin, before: Stored, after: Stored): Fact {
  const key = `${file}: ${test}`
  return change(before.get(key) ?? [], after.get(key) ?? [])
}

function change(was: readonly string[], is: readonly string[]): Fact {
  if (was.length === 0) {
    if (is.length === 0) return 'nothing written'
    return is.some((text) => text.includes('attempt 1')) ? 'written by a failed attempt' : 'written'
  }
  if (is.length === 0) return 'removed'
  return JSON.stringify(was) === JSON.stringify(is) ? 'kept' : 'updated'
}

function toldOfSnapshot({ test, file }: Twin, { snapshot, testResults }: Results): readonly Fact[] {
  const { uncheckedKeysByFile, filesRemovedList = [] } = snapshot
  const keys = uncheckedKeysByFile.flatMap(({ filePath, keys }) => (filePath.includes(`/${file}.test.`) ? keys : []))
  const isListed = keys.some((key) => ownName(key).replace(/ \d+$/, '') === test)
  if (!isListed && !filesRemovedList.some((path) => path.endsWith(`/${file}.test.js.snap`))) return []
  const failed = testResults.find(({ name, status }) => name.endsWith(`/${file}.test.js`) && status === 'failed')
  const isFailedByIt = failed?.assertionResults.every(({ status }) => status !== 'failed') ?? false
  return isFailedByIt ? ['obsolete', 'run red'] : ['obsolete']
}

function toldOfCassette({ test, file }: Twin, report: RunReport): readonly Fact[] {
  const found = report.tests.find((one) => ownName(one.test) === test && one.file === `test/${file}.test.js`)
  const names = file === 'retried' ? ['retried', test] : [test]
  const path = cassettePath({ testFile: `test/${file}.test.js`, names, index: 1 })
  const obsolete = report.obsolete.some(({ cassette }) => cassette === path)
  const facts: readonly (readonly [Fact, boolean])[] = [
    ['pending', found?.outcome === 'pending'],
    ['move offered', found?.failure?.text.includes('npx turntape move') === true],
    ['told', found?.verdict === 'passed' && found.earlier.length > 0],
    ['obsolete', obsolete],
    ['run red', obsolete && report.red && report.obsoleteFails],
  ]
  return facts.flatMap(([fact, holds]) => (holds ? [fact] : []))
}

/** Without the describe of retried tests, which Vitest joins with ` > ` in the keys of snapshots, and Jest with a blank. */
function ownName(name: string): string {
  return name.replace(/^retried (?:> )?/, '')
}

function storedSnapshots({ project }: RunnerProject): Stored {
  const stored = new Map<string, readonly string[]>()
  for (const path of project.files('test/__snapshots__')) {
    const file = path.replace(/\.test\.js\.snap$/, '')
    for (const [, name = '', text = ''] of project
      .read(`test/__snapshots__/${path}`)
      .matchAll(/^exports\[`(.*) \d+`\] = `([^`]*)`;$/gm)) {
      add(stored, `${file}: ${ownName(name)}`, text)
    }
  }
  return stored
}

function storedCassettes({ project }: RunnerProject): Stored {
  const stored = new Map<string, readonly string[]>()
  for (const path of project.cassettes()) {
    const text = project.read(`cassettes/${path}`)
    const file = /^test\/(.*)\.test\//.exec(path)?.[1]
    add(stored, `${file}: ${ownName(JSON.parse(text).test)}`, text)
  }
  return stored
}

function add(stored: Map<string, readonly string[]>, key: string, text: string): void {
  stored.set(key, [...(stored.get(key) ?? []), text])
}

function committedFiles({ project }: RunnerProject): Readonly<Record<string, string>> {
  const paths = ['test', 'cassettes'].flatMap((folder) => project.files(folder).map((path) => `${folder}/${path}`))
  return Object.fromEntries(paths.map((path) => [path, project.read(path)]))
}

function restore({ project }: RunnerProject, committed: Readonly<Record<string, string>>): void {
  for (const folder of ['test', 'cassettes', 'node_modules/.cache/turntape']) {
    rmSync(join(project.folder, folder), { recursive: true, force: true })
  }
  project.write(committed)
}
