import { cpSync, existsSync, readFileSync, renameSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { defaultCaps } from '../../src/core/cassette/caps.ts'
import { isReplayError } from '../../src/errors/replay-error.ts'
import { resolveOptions } from '../../src/session/tape-options.ts'
import { ensureTypes, repository } from '../projects/package.ts'
import { createProject, type Project } from '../projects/project.ts'
import { codeBlocks } from './code-blocks.ts'
import { startFlightModel } from './flight-model.ts'

const readme = readFileSync(join(repository, 'README.md'), 'utf8')
const blocks = codeBlocks(readme)

/** The agent still talks to a model on this machine, and there is none; no key either. */
const gone = { OPENAI_BASE_URL: 'http://127.0.0.1:9/v1' }

test('every block of code is named, and held by a test below', () => {
  const names = blocks.map(({ language, name }) => `${language} ${name}`.trim())
  expect(names).toEqual([
    'sh',
    'sh',
    'ts vitest.config.ts',
    'ts agent.test.ts',
    'text first run',
    'text later runs',
    'text changed prompt',
    'ts two-agents.test.ts',
    'ts mocked-tools.test.ts',
    'ts turntape.options.ts',
    'ts options.config.ts',
    'json cassette',
    'sh',
  ])
})

test('the first test records, replays and diverges with the output shown', async () => {
  const project = createFlightProject(['vitest.config.ts', 'agent.test.ts'])
  const model = await startFlightModel(project.folder)

  const first = await project.vitest([], { env: model.env })
  expect(shownOf(first.output, 'first run')).toEqual(linesOf('first run'))
  expect(await model.calls()).toBe(3)
  await model.stop()
  const cassette = project.read(cassettePath())
  expect(stableText(cassette)).toContain(linesOf('cassette').join('\n'))

  const later = await project.vitest([], { env: gone })
  expect(shownOf(later.output, 'later runs')).toEqual(linesOf('later runs'))

  project.write({ 'agent.ts': project.read('agent.ts').replace('cheapest', 'fastest') })
  const changed = await project.vitest([], { env: gone })
  expect(changed.code).toBe(1)
  expect(changed.output).toContain(textOf('changed prompt'))
  expect(project.read(cassettePath())).toBe(cassette)
})

test('CI needs no setting and no key, and is red without a cassette', async () => {
  const project = createFlightProject(['vitest.config.ts', 'agent.test.ts'])
  const model = await startFlightModel(project.folder)

  const missing = await project.vitest([], { env: { ...model.env, CI: 'true' } })
  expect([missing.code, await model.calls(), project.cassettes()]).toEqual([1, 0, []])
  expect(missing.output).toContain('TURNTAPE_MISSING_CASSETTE')

  await project.vitest([], { env: model.env })
  await model.stop()
  const replayed = await project.vitest([], { env: { ...gone, CI: 'true' } })
  expect([replayed.code, replayed.output.includes('Cassettes  1 replayed')]).toEqual([0, true])
})

test('the other tests and options record and replay', async () => {
  const tests = ['two-agents.test.ts', 'mocked-tools.test.ts']
  const project = createFlightProject([...tests, 'turntape.options.ts', 'options.config.ts'])
  const model = await startFlightModel(project.folder)
  const config = ['--config', 'options.config.ts']

  const first = await project.vitest(config, { env: model.env })
  expect([first.code, await model.calls()], first.output).toEqual([0, 9])
  await model.stop()
  const later = await project.vitest(config, { env: gone })
  expect([later.code, later.output.includes('Cassettes  3 replayed')], later.output).toEqual([0, true])
})

test('every TypeScript block has right types, by the package as it is published', async () => {
  ensureTypes()
  const sources = blocks.filter(({ language }) => language === 'ts').map(({ name }) => name)
  const project = createFlightProject(sources)
  const options = '--noEmit --strict --skipLibCheck --target es2022 --module preserve --allowImportingTsExtensions'
  const tsc = await project.node([
    'node_modules/typescript/bin/tsc',
    ...options.split(' '),
    '--types',
    'node',
    ...sources,
  ])
  expect([tsc.code, tsc.output]).toEqual([0, ''])
}, 300_000)

test('every command runs', async () => {
  const { scripts } = JSON.parse(readFileSync(join(repository, 'package.json'), 'utf8'))
  const commands = blocks.filter(({ language }) => language === 'sh').flatMap(({ text }) => text.trim().split('\n'))
  const [ofNpm = [], ofTurntape = []] = [/^npm (?!install)/, /^npx turntape /].map((start) => {
    return commands.filter((command) => start.test(command)).map((command) => wordsOf(command.replace(start, '')))
  })
  expect(ofNpm.map((words) => words.at(-1)).filter((script) => scripts[script ?? ''] === undefined)).toEqual([])

  const project = createFlightProject(['vitest.config.ts', 'agent.test.ts'])
  const model = await startFlightModel(project.folder)
  await project.vitest([], { env: model.env })
  for (const words of ofTurntape) {
    if (words[0] === 'diff')
      cpSync(join(project.folder, 'cassettes'), join(project.folder, 'fresh'), { recursive: true })
    // As it is after the test was renamed.
    if (words[0] === 'move') renameSync(join(project.folder, cassettePath()), join(project.folder, words[1] as string))
    const { code, output } = await project.turntape(words, { env: model.env })
    expect([words.join(' '), code], output).toEqual([words.join(' '), 0])
  }
  expect(await model.calls()).toBe(6) // `record` alone calls the model again
})

test('the options are those that exist', () => {
  const rows = [...readme.matchAll(/^\| `(\w+)` \| /gm)].map(([, option]) => option)
  const modes = ['auto', 'replay', 'update', 'record', 'rebase', 'live']
  expect(rows.filter((row) => !modes.includes(row ?? '')).sort()).toEqual(existingOptions())
})

test('the caps are the default ones', () => {
  const { maxCassetteBytes, maxBodyBytes, maxInteractions, maxChunks } = defaultCaps
  expect(readme).toContain(
    `${maxCassetteBytes / 2 ** 20} MiB a cassette, ${maxBodyBytes / 2 ** 20} MiB a body, ` +
      `${maxInteractions.toLocaleString('en')} interactions, ${maxChunks.toLocaleString('en')} chunks a response`,
  )
})

test('every link leads to a file', () => {
  const targets = [...readme.matchAll(/\]\(([^)#]+)\)/g)].map(([, target = '']) => target)
  expect(targets.filter((target) => !existsSync(join(repository, target)))).toEqual([])
  expect(targets.length).toBeGreaterThan(0)
})

test('the example’s test and the README’s are the same', () => {
  expect(readFileSync(join(repository, 'examples/flight-agent/agent.test.ts'), 'utf8')).toBe(textOf('agent.test.ts'))
})

/** The example's agent, tools and model, with files from the README. */
function createFlightProject(fromReadme: readonly string[]): Project {
  const example = ['agent.ts', 'tools.ts', 'model.mjs'].map((file) => {
    return [file, readFileSync(join(repository, 'examples/flight-agent', file), 'utf8')]
  })
  return createProject(Object.fromEntries([...example, ...fromReadme.map((name) => [name, textOf(name)])]))
}

function textOf(name: string): string {
  const found = blocks.find((block) => block.name === name)
  expect(found, `the README has a block ${name}`).toBeDefined()
  return found!.text
}

function cassettePath(): string {
  return /`(cassettes\/.*?\.json)`/.exec(readme)![1]!
}

/** The lines of a block, with what differs from run to run taken out. */
function linesOf(name: string): readonly string[] {
  return stableText(textOf(name)).trimEnd().split('\n')
}

/** Those lines of a run's output that the block shows, in the order of the output. */
function shownOf(output: string, name: string): readonly string[] {
  const shown = linesOf(name)
  return stableText(output)
    .split('\n')
    .filter((line) => shown.includes(line))
}

/** Durations, references and milliseconds differ from run to run. */
function stableText(text: string): string {
  return text
    .replace(/ +\d+ms$/gm, '')
    .replace(/SK-[0-9A-F]{6}/g, 'SK-******')
    .replace(/"(startMs|headMs)": \d+/g, '"$1": *')
}

/** A command line's words, its comment left out; double quotes hold a word together. */
function wordsOf(command: string): readonly string[] {
  return [...command.replace(/ +#.*$/, '').matchAll(/"([^"]*)"|\S+/g)].map(([word, quoted]) => quoted ?? word)
}

/** As the code names them when it is given one that it does not know; the plugin's own three beside. */
function existingOptions(): readonly string[] {
  try {
    resolveOptions([{ nonsense: true } as never])
  } catch (error) {
    if (!isReplayError(error)) throw error
    const { expected } = error.details as { expected: string }
    return expected.replace('one of ', '').split(', ').sort()
  }
  return []
}
