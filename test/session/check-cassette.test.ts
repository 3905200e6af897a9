import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import type { Cassette, HttpInteraction, Interaction, ResponseBody } from '../../src/core/cassette/document.ts'
import { writeCassette } from '../../src/core/cassette/write-cassette.ts'
import { type CheckOptions, checkCassette } from '../../src/session/check-cassette.ts'
import { openCassette } from '../../src/session/open-cassette.ts'
import { agentRun, chatCall, modelCall, numbered } from '../trajectory/wire-calls.ts'

function put(interactions: readonly Interaction[], edit: (text: string) => string = (text) => text): string {
  const folder = mkdtempSync(join(tmpdir(), 'check-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  mkdirSync(join(folder, 'cassettes'))
  const cassette: Cassette = {
    ...{ format: 'turntape/1', test: 'a test', provenance: { kind: 'live' }, recordedAt: '2026-11-30T12:00:00.000Z' },
    ...{ recordedWith: {}, interactions },
  }
  const path = join(folder, 'cassettes', 'a.json')
  writeFileSync(path, edit(writeCassette(cassette)))
  return path
}

const sound = { replayable: true, problems: [] }

test('a cassette that strict replay takes has no problems, by its path or opened', () => {
  const path = put(agentRun('openai-chat'))
  expect(checkCassette(path)).toEqual(sound)
  expect(checkCassette(openCassette(path))).toEqual(sound)
})

test('F13 an edited request is refused, with its number', () => {
  const path = put(agentRun('openai-chat'), (text) => text.replace('Be brief.', 'Be long.'))
  expect(checkCassette(path)).toEqual({
    replayable: false,
    // The second request is told by the first, so it is edited with it (F11).
    problems: [1, 2].map((interaction) => ({
      ...{ kind: 'edited', refused: true, code: 'TURNTAPE_CASSETTE_EDITED', interaction },
      what: expect.stringMatching(/^the request of interaction [12] was edited: its hash is \w{8}, computed \w{8}$/),
    })),
  })
})

test('F19 F20 what opening would throw is a problem with its place', () => {
  const problem = (path: string, caps = {}) => checkCassette(path, { caps }).problems
  expect(problem(put([], () => '{\n<<<<<<< HEAD\n'))).toMatchObject([
    { kind: 'unreadable', refused: true, code: 'TURNTAPE_CASSETTE_INVALID', line: 2, column: 1 },
  ])
  expect(problem(put([], (text) => text.replace('turntape/1', 'turntape/99')))).toMatchObject([
    { kind: 'too new', refused: true, code: 'TURNTAPE_CASSETTE_TOO_NEW' },
  ])
  expect(problem(put(agentRun('gemini')), { maxInteractions: 1 })).toMatchObject([
    { kind: 'over a cap', refused: true, code: 'TURNTAPE_CAP_EXCEEDED' },
  ])
  expect(problem(put(agentRun('gemini')), { maxBlocks: 1 })).toMatchObject([
    { kind: 'over a cap', refused: true, code: 'TURNTAPE_CAP_EXCEEDED', interaction: 1 },
  ])
  expect(problem('nowhere.json')).toMatchObject([{ kind: 'unreadable', what: 'there is no such file' }])
})

test('F5 a side file that is missing is refused', () => {
  const sha256 = 'a'.repeat(64)
  const path = put(numbered([modelCall('https://models.test/x', {}, { file: `${sha256}.bin`, sha256, bytes: 3 })]))
  expect(checkCassette(path)).toMatchObject({ replayable: false, problems: [{ kind: 'side file', refused: true }] })
})

test('AR-04 what strict replay refuses when it opens a cassette is refused here by the same codes, unless it is allowed', () => {
  const [first, second] = agentRun('openai-chat') as [Interaction, Interaction]
  const path = put(
    numbered([
      { ...first, substituted: 'new container' },
      { ...second, unverifiable: 'no images', incomplete: 'cut' },
    ]),
  )
  const found = (options: CheckOptions) =>
    checkCassette(path, options).problems.flatMap(({ code, refused }) => (refused ? [code] : []))
  expect(found({})).toEqual(['TURNTAPE_SUBSTITUTED', 'TURNTAPE_UNVERIFIABLE', 'TURNTAPE_INCOMPLETE'])
  expect(found({ allow: { unhashed: true, incomplete: true } })).toEqual(['TURNTAPE_SUBSTITUTED'])
  expect(found({ strict: false })).toEqual([])
  expect(found({ upTo: 1 })).toEqual(['TURNTAPE_SUBSTITUTED'])
  expect(found({ from: 3 })).toEqual(['TURNTAPE_UNKNOWN_POINT'])
  expect(checkCassette(path).problems[1]).toEqual({
    ...{ kind: 'unverifiable', refused: true, code: 'TURNTAPE_UNVERIFIABLE', interaction: 2, turn: 2 },
    what: 'interaction 2 is unverifiable: no images',
    remedy: 'allow: { unhashed: true }, in the test',
  })
})

test('what replays as it was and may surprise is told, and not refused', () => {
  const cut = (kind: 'aborted' | 'failed'): HttpInteraction => {
    const events = [{ data: { choices: [{ index: 0, delta: { content: kind } }] } }]
    const failure = { stage: 'body', name: 'TypeError', message: 'terminated' } as const
    const end = kind === 'failed' ? { kind, failure } : { kind }
    const body: ResponseBody = { framing: 'sse', events, end }
    return { ...chatCall(kind, ''), response: { status: 200, headers: [], body } }
  }
  const [asks] = agentRun('openai-chat') as [Interaction]
  const overloaded = modelCall(
    'https://api.anthropic.com/v1/messages',
    {},
    {
      framing: 'sse',
      events: [{ event: 'error', data: { type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } } }],
    },
  )
  const { replayable, problems } = checkCassette(put(numbered([cut('aborted'), cut('failed'), asks, asks, overloaded])))
  expect(replayable).toBe(true)
  expect(problems.map(({ kind, turn, refused }) => [kind, turn, refused])).toEqual([
    ['stops early', 1, false],
    ['unfinished', 2, false],
    ['unfinished', 5, false],
    ['call id repeated', 4, false],
    ['call id repeated', 4, false],
  ])
  expect(problems[2]?.what).toBe('turn 5 is not finished, it ended with an error: Overloaded')
})
