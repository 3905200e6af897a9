/** Runs the project through every run of the table and says, in the table's words, what became of each twin. */
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { cassettePath } from '../../src/core/cassette/cassette-path.ts'
import type { RunReport } from '../../src/session/run-report.ts'
import type { Model } from '../life/model.ts'
import type { Outcome, Runner, RunnerProject } from '../runners/runner-project.ts'
import { applyToFiles, createParityProject } from './parity-project.ts'
import { type Fact, type RunName, runs } from './table.ts'

export interface Observed {
  readonly output: string
  snapshot(test: string, file: string): readonly Fact[]
  cassette(test: string, place: { readonly file: string; readonly says: string }): readonly Fact[]
}

/** What is stored for each test, by `<test file>: <test>`. */
type Stored = ReadonlyMap<string, readonly string[]>

interface State {
  readonly outcome: Outcome
  readonly before: Stored
  readonly after: Stored
}

interface SnapshotSummary {
  readonly uncheckedKeysByFile: readonly { readonly filePath: string; readonly keys: readonly string[] }[]
  readonly filesRemovedList?: readonly string[]
}

/** One after the other: each begins with what the first one recorded. */
export async function observeAll(runner: Runner, model: Model): Promise<ReadonlyMap<RunName, Observed>> {
  const created = await createParityProject(runner)
  const env = { MODEL_URL: model.url }
  const first = await created.run([], env)
  if (first.code !== 0) throw new Error(first.output)
  const committed = committedFiles(created)
  const observed = new Map<RunName, Observed>()
  for (const name of Object.keys(runs) as RunName[]) {
    restore(created, committed)
    await model.reset()
    observed.set(name, await observe(created, { name, model }))
  }
  return observed
}

async function observe(
  created: RunnerProject,
  { name, model }: { readonly name: RunName; readonly model: Model },
): Promise<Observed> {
  const { project } = created
  const { edits, args = [], file, env = {} } = runs[name]
  applyToFiles(created, edits)
  const made = Object.fromEntries(edits.map((edit) => [edit, '1']))
  const picked = file === undefined ? [] : created.only(file)
  const before = { snapshot: storedSnapshots(created), cassette: storedCassettes(created) }
  const outcome = await created.run([...args, ...picked], {
    MODEL_URL: model.url,
    TURNTAPE_REPORT: 'report.json',
    ...env,
    ...made,
  })
  const report: RunReport = JSON.parse(project.read('report.json'))
  const { snapshot: summary }: { snapshot: SnapshotSummary } = JSON.parse(project.read('result.json'))
  const asked = (await model.log()).map(({ body }): string => body.messages[0].content)
  const snapshots = { outcome, before: before.snapshot, after: storedSnapshots(created) }
  const cassettes = { outcome, before: before.cassette, after: storedCassettes(created) }
  return {
    output: outcome.output,
    snapshot: (test, file) => [
      ...becameOf(test, file, snapshots),
      ...(isObsoleteSnapshot(test, file, summary) ? (['obsolete'] as const) : []),
    ],
    cassette: (test, { file, says }) => [
      ...becameOf(test, file, cassettes),
      ...toldOf(test, file, report),
      ...(asked.some((text) => text === says || text.startsWith(`${says},`)) ? (['live'] as const) : []),
    ],
  }
}

function becameOf(test: string, file: string, { outcome, before, after }: State): readonly Fact[] {
  const named = Object.entries(outcome.statuses).filter(([name]) => ownName(name).replace(/ #\d+$/, '') === test)
  const states = new Set(named.map(([, status]) => status))
  const key = `${file}: ${test}`
  const was = before.get(key) ?? []
  const is = after.get(key) ?? []
  return [stateOf(states), change(was, is)]
}

function stateOf(states: ReadonlySet<string>): Fact {
  if (states.has('failed')) return 'fails'
  return states.has('passed') ? 'passes' : 'not run'
}

function change(was: readonly string[], is: readonly string[]): Fact {
  if (was.length === 0) {
    if (is.length === 0) return 'nothing'
    return is.some((text) => text.includes('attempt 1')) ? 'written from a failed attempt' : 'written'
  }
  if (is.length === 0) return 'removed'
  return JSON.stringify(was) === JSON.stringify(is) ? 'kept' : 'updated'
}

function isObsoleteSnapshot(test: string, file: string, summary: SnapshotSummary): boolean {
  const ofFile = `${file}.test.js.snap`
  const keys = summary.uncheckedKeysByFile.flatMap(({ filePath, keys }) =>
    filePath.includes(file) ? keys.map((key) => ownName(key).replace(/ \d+$/, '')) : [],
  )
  return keys.includes(test) || (summary.filesRemovedList ?? []).some((path) => path.endsWith(ofFile))
}

function toldOf(test: string, file: string, report: RunReport): readonly Fact[] {
  const found = report.tests.find((one) => ownName(one.test) === test && one.file.includes(`/${file}.`))
  const names = file === 'retried' ? ['retried', test] : [test]
  const path = cassettePath({ testFile: `test/${file}.test.js`, names, index: 1 })
  const obsolete = report.obsolete.filter(({ cassette }) => cassette === path)
  const facts: Fact[] = []
  if (found?.outcome === 'pending') facts.push('pending')
  if (found?.verdict === 'unused') facts.push('unused')
  if (found?.failure?.text.includes('npx turntape move')) facts.push('move offered')
  if (found?.verdict === 'passed' && found.earlier.length > 0) facts.push('told')
  if (obsolete.some(({ removed }) => !removed)) facts.push('obsolete')
  if (obsolete.length > 0 && report.red && report.obsoleteFails) facts.push('run red')
  return facts
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
