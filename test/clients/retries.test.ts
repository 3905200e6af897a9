/** A retry policy written for the live provider takes the same path in replay, for each way to fail; the table of it is in the docs. */
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, onTestFinished, test } from 'vitest'
import { createProject } from '../projects/project.ts'
import { startHostileServers } from './hostile-server.ts'
import { type Census, failureTable } from './retry-census.ts'

const kinds = [
  ...['401', '404', '408', '409', '413', '422', '429', '429, retry-after in seconds', '429, retry-after a date'],
  ...[
    '429, retry-after-ms',
    '500',
    '500, not to be retried',
    '502, a page of HTML',
    '503',
    '504, a page of HTML',
    '529',
  ],
  ...['reset before the head', 'closed before the head', 'no HTTP at all', 'reset in the body', 'chunked, cut'],
  ...['shorter than its content-length', 'an error event in the stream, or no JSON', 'no head', 'no more body'],
]

const plan = [
  ...kinds.map((name) => ({ name })),
  { name: 'connection refused', at: 'refused' },
  { name: 'unknown host', at: 'unknown host' },
  { name: 'connection timed out', at: 'mute' },
  { name: 'self-signed certificate', at: 'self-signed' },
  { name: 'no TLS', at: 'no TLS' },
  { name: 'no head', endedBy: 'the client’s timeout' },
  { name: 'no head', endedBy: 'a timeout signal' },
  { name: 'no head', endedBy: 'an abort' },
  { name: 'no more body', endedBy: 'an abort' },
]

const page = fileURLToPath(new URL('../../docs/failures.md', import.meta.url))

test('LR-05 AR-19 AR-15 AR-16 AR-17 D-29 each client makes the same attempts and ends the same in replay as live', {
  timeout: 180_000,
}, async () => {
  const servers = await startHostileServers()
  onTestFinished(() => servers.stop())
  const urls = { ...servers.urls, 'unknown host': 'http://nonexistent.invalid' }
  const project = createProject({
    'retries.test.ts': readFileSync(new URL('scenarios/retries.ts', import.meta.url), 'utf8'),
    'plan.json': JSON.stringify({ urls, kinds: plan }),
  })
  const run = async (name: string, env: Readonly<Record<string, string>>) => {
    const { output } = await project.vitest(['--testTimeout=120000'], { env: { RUN: name, ...env } })
    const files = project.files(`seen-${name}`).map((file) => `seen-${name}/${file}`)
    const read = (file: string) => JSON.parse(project.read(file))
    const census: Census = files.filter((file) => !file.endsWith('timers.json')).map(read)
    return { output, census, firedMs: read(`seen-${name}/timers.json`) as readonly number[] }
  }

  const live = await run('live', {})
  expect(live.output).toContain('9 written')
  const requests = servers.requests()
  servers.stop()
  const replayed = await run('replayed', { CI: 'true' })
  expect(replayed.output).toContain('9 replayed')
  expect(replayed.census).toEqual(live.census)
  expect(servers.requests()).toBe(requests)

  // What the live run must have shown, so that an empty one is no equal one.
  expect(live.census).toHaveLength(9)
  const answered = live.census
    .flatMap(({ calls }) => calls)
    .filter(({ outcome, attempts }) => outcome.text?.startsWith('Hello') && attempts[0] !== '200')
  expect(answered.length).toBeGreaterThan(100)
  for (const { fails, attempts, turns, outcome } of answered) {
    expect({ fails, attempts: attempts.length, last: attempts.at(-1), turns: turns.length }, outcome.text).toEqual({
      fails: 1,
      attempts: 2,
      last: '200',
      turns: 1,
    })
  }

  // Live, policies waited by their own rules. In replay: 1 ms after a header or by `fastRetry`; 30 ms where a policy reads no
  // header of an HTTP failure; and the scenario's own 50 ms and aborts.
  expect(live.firedMs.some((delayMs) => delayMs >= 400)).toBe(true)
  expect(replayed.firedMs.filter((delayMs) => ![0, 1, 30, 50, 1_000].includes(delayMs))).toEqual([])

  await expect(withTable(readFileSync(page, 'utf8'), failureTable(live.census))).toMatchFileSnapshot(page)
})

function withTable(document: string, table: string): string {
  return document.replace(
    /(<!-- generated:retries -->\n)[\s\S]*?(<!-- \/generated -->)/,
    (_, opening: string, closing: string) => `${opening}\n${table}\n${closing}`,
  )
}
