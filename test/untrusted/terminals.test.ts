/** Whatever stands in a cassette, in a name or in a path: a terminal acts on none of it, and no log takes it for a line of its own. */
import { expect, test } from 'vitest'
import type { Interaction } from '../../src/core/cassette/document.ts'
import { githubAnnotations } from '../../src/session/run/github-annotations.ts'
import { summarise } from '../../src/session/run/summarise.ts'
import { createCliProject, recordedCassette } from '../cli/cli-project.ts'
import { plainPaint, reportOf, sessionReport } from '../session/report-facts.ts'

/** Clears the screen, sets its title, turns what follows round, forges a workflow command, ends the line. */
const hostile = 'x\u001b[2J\u001b]0;y\u0007\u009b31m\u202e\u2066\u200b\u2028\r\n::error::z\u0000\ud800'

/** A line feed ends a line, and nothing else may stand in one. */
const acts = /(?!\n)[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\ufffd]|^::error::z/mu

function expectHarmless(output: string): void {
  const found = acts.exec(output)
  expect(
    found === null ? undefined : JSON.stringify(output.slice(Math.max(0, found.index - 80), found.index + 20)),
  ).toBe(undefined)
}

function call(content: string): Omit<Interaction, 'number' | 'hash'> {
  return {
    kind: 'model',
    lane: content,
    request: {
      method: `POST${content}`,
      url: `https://a.test/v1/chat/completions?${content}`,
      headers: { 'content-type': content },
      body: {
        json: {
          model: content,
          messages: [
            { role: content, content },
            { role: 'tool', tool_call_id: content, content },
          ],
          tools: [{ type: 'function', function: { name: content, description: content } }],
          [content]: content,
        },
      },
    },
    response: {
      status: 200,
      statusText: 'OK',
      url: `https://a.test/${content}`,
      headers: [['content-type', 'application/json']],
      body: {
        json: {
          choices: [
            {
              index: 0,
              finish_reason: content,
              message: {
                role: 'assistant',
                content,
                tool_calls: [{ id: content, type: 'function', function: { name: content, arguments: content } }],
              },
            },
          ],
        },
      },
    },
    timing: { startMs: 0 },
  } as Omit<Interaction, 'number' | 'hash'>
}

function cassetteWith(content: string) {
  const failure = {
    stage: 'value',
    name: content,
    message: content,
    code: content,
    details: { [content]: content },
  } as const
  return {
    ...recordedCassette(content, [
      { ...call(content), unverifiable: content, substituted: content, incomplete: content } as never,
      {
        kind: 'http',
        request: { method: 'GET', url: content },
        failure: { ...failure, stage: 'connect', cause: failure },
        timing: { startMs: 1 },
      } as never,
      {
        kind: 'tool',
        callId: content,
        request: { name: content, input: { [content]: content } },
        result: { error: failure },
        timing: { startMs: 2 },
      } as never,
      {
        kind: 'call',
        request: { name: content, input: content },
        result: { elements: [content] },
        timing: { startMs: 3 },
      } as never,
    ]),
    provenance: { kind: 'derived', reason: content },
    recordedWith: { [content]: content },
  } as const
}

test('promise 8 show, show --json, check and diff print no character that a terminal acts on', async () => {
  const { run, putCassette } = createCliProject()
  const text = hostile.replace('\ud800', '')
  putCassette('cassettes/one.json', cassetteWith(text))
  putCassette('cassettes/two.json', cassetteWith(`${text}${text}`))
  const runs = [
    ['show', 'cassettes/one.json'],
    ['show', '--json', 'cassettes/one.json'],
    ['check'],
    ['check', '--json'],
    ['diff', 'cassettes/one.json', 'cassettes/two.json'],
  ]
  for (const args of runs) {
    const printed = await run(args)
    expect(printed.length, args.join(' ')).toBeGreaterThan(80)
    expectHarmless(printed)
  }
})

test('promise 8 nor do the report of a run and its annotations', () => {
  const failure = { code: 'TURNTAPE_DIVERGED', message: hostile, text: `${hostile}\n${hostile}` } as const
  const report = reportOf(
    [
      [sessionReport(hostile, 'failed', { failure, notes: [hostile], cassette: `cassettes/${hostile}.json` })],
      [sessionReport(`b${hostile}`, 'failed', { failure }), sessionReport(`b${hostile}`, 'replayed')],
      [sessionReport(`c${hostile}`, 'pending', { notes: [hostile] })],
    ],
    {
      strays: [{ kind: 'late', call: hostile, test: hostile, refused: true }],
      obsolete: [{ cassette: `cassettes/${hostile}.json`, reason: hostile, removed: false }],
      obsoleteFails: true,
    },
  )
  const lines = [
    ...summarise({ report, style: 'vitest', paint: plainPaint }),
    ...summarise({ report, style: 'jest', paint: plainPaint }),
    ...githubAnnotations({ report, runnerShowsFailures: false, placeOf: (path) => path }),
  ]
  expect(lines.length).toBeGreaterThan(10)
  for (const line of lines) {
    expect(line).not.toContain('\n')
    expectHarmless(line)
  }
})
