/**
 * Promise 7 as a whole: secrets of every kind in every place of a recording, in one project that records against a real
 * server. The table in docs/secret-places.md is written from what came of it (`-u` writes it anew).
 */
import { cpSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { defaultCaps } from '../../../src/core/cassette/caps.ts'
import { decodeBody } from '../../../src/core/cassette/decode-body.ts'
import type { HttpInteraction, Interaction } from '../../../src/core/cassette/document.ts'
import { createStore } from '../../../src/store/cassette-store.ts'
import type { Project, RunResult } from '../../projects/project.ts'
import { type PlantedPlace, plantedPlaces } from './planted-places.ts'
import { createPlantedProject, type PlantedTest, plantedEnvironment, startPlantedServer } from './planted-project.ts'
import { type PlantedKind, type PlantedSecret, plantedKinds } from './planted-secrets.ts'
import { spellingsOf } from './spellings.ts'

interface Cell {
  readonly place: PlantedPlace
  readonly kind: PlantedKind
  readonly planted: PlantedSecret
  readonly outcome: 'rewritten' | 'refused' | 'not looked for'
}

const cells = plantedPlaces.flatMap((place, row) =>
  plantedKinds.flatMap((kind, column): readonly Cell[] => {
    // Each refusal is a test that fails: where every kind is refused, a third of the kinds of keys has to do.
    if (place.refuses === true && kind.found === 'by shape' && column % 3 !== row % 3) return []
    const planted = kind.secrets[row % kind.secrets.length] as PlantedSecret
    if (place.holds !== undefined && !place.holds(planted.text)) return []
    const isMissed = place.isBytes === true && kind.found === 'by pattern'
    const isRefused = place.refuses === true || kind.found === 'by the scan'
    return [{ place, kind, planted, outcome: isMissed ? 'not looked for' : isRefused ? 'refused' : 'rewritten' }]
  }),
)
const refused = cells.filter(({ outcome }) => outcome === 'refused')
const rewrittenPlaces = plantedPlaces.filter((place) => rewrittenCells(place).length > 0)

function rewrittenCells(place: PlantedPlace): readonly Cell[] {
  return cells.filter((cell) => cell.place === place && cell.outcome === 'rewritten')
}

const plantOf = ({ place, planted }: Cell): PlantedTest['plantings'][number] => place.plant(planted.text)
const tests: readonly PlantedTest[] = [
  ...rewrittenPlaces.map((place) => ({
    name: `${place.name}: rewritten`,
    plantings: rewrittenCells(place).map(plantOf),
  })),
  ...refused.map((cell) => ({ name: `${cell.place.name}: ${cell.kind.name}`, plantings: [plantOf(cell)] })),
]

interface Outcome {
  readonly status: string
  readonly message: string
}

let project: Project
let recording: RunResult
let outcomes: ReadonlyMap<string, Outcome>
let environment: Record<string, string>

const reporters = ['default', 'json', 'junit'].map((name) => `--reporter=${name}`)
const outputFiles = ['--outputFile.json=result.json', '--outputFile.junit=junit.xml']

describe('promise 7: secrets of 20 kinds in 30 places', () => {
  beforeAll(async () => {
    const cleanUps: (() => void)[] = []
    project = createPlantedProject(tests, (remove) => cleanUps.push(remove))
    const server = await startPlantedServer(tests)
    cleanUps.push(server.stop)
    environment = { ...plantedEnvironment(project), SERVER: server.url, TURNTAPE_REPORT: 'report.json' }
    recording = await project.vitest([...reporters, ...outputFiles], { env: environment })
    outcomes = outcomesOf(project)
    return () => {
      for (const cleanUp of cleanUps) cleanUp()
    }
  }, 240_000)

  test('there are as many as that', () => {
    expect(plantedKinds.length).toBeGreaterThanOrEqual(20)
    expect(plantedKinds.flatMap(({ secrets }) => secrets).length).toBeGreaterThanOrEqual(200)
    expect(plantedPlaces.length).toBeGreaterThanOrEqual(30)
    expect(outcomes.size).toBe(tests.length)
  })

  test('what is known by place, shape or pattern is rewritten, and recorded all the same', () => {
    expect(rewrittenPlaces.map(({ name }) => [name, outcomes.get(`${name}: rewritten`)])).toEqual(
      rewrittenPlaces.map(({ name }) => [name, { status: 'passed', message: '' }]),
    )
  })

  test('what is not is refused; each refusal names its place and its rule, and says how to mend it', () => {
    for (const { place, kind } of refused) {
      const { status, message } = outcomes.get(`${place.name}: ${kind.name}`) as Outcome
      expect([place.name, kind.name, status]).toEqual([place.name, kind.name, 'failed'])
      expect(message).toContain('TURNTAPE_SECRET_FOUND')
      expect(message).toMatch(new RegExp(`interaction 1, ${escaped(place.says)}|${escaped(place.says)} [0-9a-f]{20}`))
      expect(message).toMatch(/redact: \{ \w+: |beforeRecord: |Rename it/)
      expect(message).toContain('node_modules/.cache/turntape/cassettes/')
    }
  })

  test('no secret is in any file that is committed, in whatever spelling', () => {
    for (const file of project.cassettes()) expect(secretsIn(project.read(`cassettes/${file}`))).toEqual([])
    expect(project.cassettes().length).toBeGreaterThanOrEqual(rewrittenPlaces.length)
  })

  test('no secret is in what was printed, in JUnit, in JSON, in the report', () => {
    const printed = [recording.output, junit(), project.read('result.json'), project.read('report.json')]
    for (const text of printed) {
      expect(text.length).toBeGreaterThan(1000)
      expect(secretsIn(text)).toEqual([])
    }
  })

  test('a refused recording is kept, readable by its owner alone', () => {
    const pending = project.pending()
    expect(pending.filter((file) => file.endsWith('.json')).length).toBe(refused.length)
    const modes = pending.map(
      (file) => statSync(join(project.folder, 'node_modules/.cache/turntape', file)).mode & 0o777,
    )
    expect(new Set(modes)).toEqual(new Set([0o600]))
  })

  test('a stream has as many events as before, its reader gets the placeholder, two secrets are kept apart', () => {
    for (const place of rewrittenPlaces.filter(({ read }) => read !== undefined)) {
      const interactions = interactionsOf(place)
      const placeholders = rewrittenCells(place).map((cell, index) => {
        const body = bodyOf(interactions[index] as Interaction)
        const sent = Buffer.concat(
          (plantOf(cell).answer?.chunks ?? []).map((chunk) => Buffer.from(chunk, 'base64')),
        ).toString()
        expect(place.events?.(body)).toBe(place.events?.(sent))
        const read = place.read?.(body) ?? ''
        expect(read).toContain('<redacted:')
        return /<redacted:[^>]*>/.exec(read)?.[0]
      })
      expect(new Set(placeholders).size).toBe(placeholders.length)
    }
  })

  test('F15 it replays without a secret of the environment, and with one', async () => {
    const { SERVER = '' } = environment
    for (const env of [{ SERVER }, environment]) {
      const run = await project.vitest(['--reporter=json', '--outputFile.json=result.json', '-t', 'rewritten'], {
        env: { ...env, TURNTAPE_MODE: 'replay' },
      })
      expect(run.output).not.toContain('TURNTAPE_')
      expect(run.code).toBe(0)
    }
  }, 120_000)

  test('no secret is in the message of a divergence, though the request was full of them', async () => {
    const run = await project.vitest([...reporters, ...outputFiles, '-t', 'rewritten'], {
      env: { ...environment, TURNTAPE_MODE: 'replay', CHANGED: '1' },
    })
    const messages = [...outcomesOf(project).values()].map(({ message }) => message)
    expect(messages.filter((message) => message.includes('TURNTAPE_')).length).toBe(rewrittenPlaces.length)
    for (const text of [run.output, junit(), project.read('result.json')]) {
      expect(secretsIn(text)).toEqual([])
    }
  }, 120_000)

  test('check finds each secret in a cassette that has it all the same, and no command prints it', async () => {
    const clean = await project.turntape(['check'], { env: environment })
    expect(clean.output).toContain('nothing found')
    cpSync(join(project.folder, 'node_modules/.cache/turntape/cassettes'), join(project.folder, 'cassettes/old'), {
      recursive: true,
      filter: (path) => !path.endsWith('.refused'),
    })
    const found = await project.turntape(['check', 'cassettes/old'], { env: environment })
    const old = project.cassettes().filter((file) => file.startsWith('old/') && file.endsWith('.json'))
    const known = old.filter((file) => found.stdout.includes(`cassettes/${file}  TURNTAPE_SECRET_FOUND`))
    // `check` knows the patterns of no project.
    expect(old.filter((file) => !known.includes(file)).every((file) => file.includes('your-own-pattern'))).toBe(true)
    const one = `cassettes/old/planted.test/a-message-of-a-request-environment-value.json`
    const other = `cassettes/old/planted.test/a-json-answer-environment-value.json`
    const runs = [found]
    for (const args of [
      ['show', one],
      ['show', '--json', other],
      ['diff', one, other],
    ]) {
      runs.push(await project.turntape(args, { env: environment }))
    }
    for (const { output } of runs) {
      expect(output.length).toBeGreaterThan(100)
      expect(secretsIn(output)).toEqual([])
    }
  }, 120_000)

  test('the line of code in a refusal mends it when it is pasted', async () => {
    const mended = ['a message of a request', 'text cut over deltas', 'a location header'].flatMap((place) =>
      ['environment value', 'user name', 'host name'].map((kind) => `${place}: ${kind}`),
    )
    const said = mended.map(
      (name) => /redact: \{ values: \{ (.*) \} \}/.exec(outcomes.get(name)?.message ?? '')?.[1] ?? '',
    )
    project.write({
      'mended.config.ts': `import { hostname, userInfo } from 'node:os'
import { replayPlugin } from 'turntape/vitest'
import { defineConfig } from 'vitest/config'
export default defineConfig({ plugins: [replayPlugin({ redact: { values: { ${[...new Set(said)].join(', ')} } } })] })
`,
    })
    const only = ['-t', `^(${mended.join('|')})$`, '--config=mended.config.ts', '--reporter=json']
    await project.vitest([...only, '--outputFile.json=mended.json'], { env: environment })
    expect(Object.fromEntries(outcomesOf(project, 'mended.json'))).toEqual(
      Object.fromEntries(mended.map((name) => [name, { status: 'passed', message: '' }])),
    )
    const written = project
      .cassettes()
      .filter((file) => /^planted\.test\/.*-(?:environment-value|user-name|host-name)\.json$/.test(file))
    expect(written.length).toBe(mended.length)
    for (const file of written) expect(secretsIn(project.read(`cassettes/${file}`))).toEqual([])
  }, 120_000)

  test('the table in the docs says what became of each', async () => {
    await expect(table()).toMatchFileSnapshot('../../../docs/secret-places.md')
  })
})

function outcomesOf(from: Project, file = 'result.json'): ReadonlyMap<string, Outcome> {
  const { testResults } = JSON.parse(from.read(file)) as {
    testResults: { assertionResults: { fullName: string; status: string; failureMessages: string[] }[] }[]
  }
  const results = testResults.flatMap(({ assertionResults }) => assertionResults)
  return new Map(
    results
      .filter(({ status }) => status !== 'skipped' && status !== 'pending')
      .map(({ fullName, status, failureMessages }) => [
        fullName.trim(),
        { status, message: failureMessages.join('\n') },
      ]),
  )
}

/** Without the attribute in which Vitest itself names the machine. */
function junit(): string {
  return project.read('junit.xml').replace(/ hostname="[^"]*"/g, '')
}

const spellings = plantedKinds.flatMap(({ name, secrets }) =>
  secrets.flatMap(({ secret }) => spellingsOf(secret).map((spelling) => ({ name, spelling }))),
)

/** Kinds of the secrets that a text holds: a failure must not say the secrets, either. */
function secretsIn(text: string): string[] {
  return spellings.filter(({ spelling }) => text.includes(spelling)).map(({ name }) => name)
}

function interactionsOf(place: PlantedPlace): readonly Interaction[] {
  const store = createStore({ root: project.folder })
  const start = place.name.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, '-')
  const path = `cassettes/planted.test/${start}-rewritten.json`
  return store.read(path, defaultCaps)?.cassette.interactions ?? []
}

function bodyOf(interaction: Interaction): string {
  const { response } = interaction as HttpInteraction
  if (response?.body === undefined) return ''
  return Buffer.concat(decodeBody(response.body, new Map()).chunks.map(({ bytes }) => bytes)).toString()
}

function table(): string {
  const columns = [
    ['keys of 17 kinds', (kind: PlantedKind) => kind.found === 'by shape'],
    ['your own pattern', (kind: PlantedKind) => kind.found === 'by pattern'],
    ['values of secret variables, user and host names', (kind: PlantedKind) => kind.found === 'by the scan'],
  ] as const
  const rows = plantedPlaces.map((place) => {
    const outcomesOfPlace = columns.map(([, isOfColumn]) => {
      const found = cells.filter((cell) => cell.place === place && isOfColumn(cell.kind)).map(({ outcome }) => outcome)
      return [...new Set(found)].join(', ')
    })
    return `| ${[place.name, ...outcomesOfPlace].join(' | ')} |`
  })
  return `# Where secrets are found

<!-- Written by test/redaction/planted/planted.test.ts, which plants ${plantedKinds.length} kinds of secrets in each of these places. -->

*Rewritten*: a placeholder is stored, hashed, printed and replayed in its place. *Refused*: the cassette is not written, and the
message names the place. What all of this protects, and what it does not: [security.md](security.md).

| place | ${columns.map(([name]) => name).join(' | ')} |
| --- | --- | --- | --- |
${rows.join('\n')}

The keys: ${plantedKinds
    .filter(({ found }) => found === 'by shape')
    .map(({ name }) => name)
    .join(', ')}. All shapes: \`src/redaction/shapes-of-*.ts\`.
`
}

function escaped(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&')
}
