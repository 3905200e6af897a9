/** One test's life without a runner: attempts in a folder of their own, each in its async context, as a runner has it. */
import { mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { defaultCaps } from '../../src/core/cassette/caps.ts'
import type { Cassette } from '../../src/core/cassette/document.ts'
import { parseCassette } from '../../src/core/cassette/parse-cassette.ts'
import type { RecordMode } from '../../src/core/modes/record-mode.ts'
import { machineHost } from '../../src/session/machine-host.ts'
import { endCollecting, openFile } from '../../src/session/open-file.ts'
import type { SessionReport } from '../../src/session/session-report.ts'
import { Slot } from '../../src/session/slot.ts'
import { type Tape, tapeOf } from '../../src/session/tape.ts'
import { resolveOptions, type TapeOptions } from '../../src/session/tape-options.ts'
import { TapeSession } from '../../src/session/tape-session.ts'
import { workerState } from '../../src/session/worker-state.ts'

export interface AttemptResult<R> {
  /** What the body gave; undefined where it threw. */
  readonly value: R | undefined
  /** The session's first failure, else what the body threw. */
  readonly error: Error | undefined
  readonly report: SessionReport
}

export interface RecordedTest {
  readonly root: string
  /** One attempt of the test. Its session is closed when the body has ended. */
  attempt<R>(mode: RecordMode, body: (tape: Tape) => Promise<R>, options?: TapeOptions): Promise<AttemptResult<R>>
  /** The file as it is; undefined: none. */
  text(): string
  cassette(): Cassette
  /** One line an interaction: kind, lane where it has one, name. */
  outline(): readonly string[]
}

const path = 'cassettes/a/uses-a-server.json'

export function recordedTest(): RecordedTest {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'recorded-test-')))
  const file = openFile({
    path: join(root, 'a.test.ts'),
    options: {},
    covered: true,
    update: 'new',
    global: globalThis,
  })
  endCollecting(file)
  onTestFinished(() => {
    file.interception.uninstall()
    workerState().file = undefined
    rmSync(root, { recursive: true, force: true })
  })
  writeFileSync(join(root, 'package.json'), '{ "name": "project" }\n')
  const text = (): string => readFileSync(join(root, path), 'utf8')
  const cassette = (): Cassette => parseCassette(text(), { cassette: path, caps: defaultCaps })
  return {
    root,
    text,
    cassette,
    outline: () =>
      cassette().interactions.map(({ kind, lane, request }) => {
        const name = 'name' in request ? request.name : `${request.method} ${request.url}`
        return [kind, ...(lane === undefined ? [] : [`(${lane})`]), name].join(' ')
      }),
    attempt: (mode, body, options = {}) => attempt({ root, mode, body, options }),
  }
}

interface AttemptInit<R> {
  readonly root: string
  readonly mode: RecordMode
  readonly body: (tape: Tape) => Promise<R>
  readonly options: TapeOptions
}

async function attempt<R>({ root, mode, body, options }: AttemptInit<R>): Promise<AttemptResult<R>> {
  const state = workerState()
  const slot = new Slot('uses a server', (layers) => openSession(root, mode, layers))
  slot.cover('test', options)
  state.running.add(slot)
  state.open.add(slot)
  let value: R | undefined
  let thrown: unknown
  try {
    value = await state.slots.run(slot, () => body(tapeOf(() => slot.session as TapeSession)))
  } catch (error) {
    thrown = error
  }
  const session = slot.session as TapeSession
  const report = await session.close({ passed: thrown === undefined, skipped: false })
  slot.end()
  state.running.delete(slot)
  state.open.delete(slot)
  return { value, error: session.failure ?? (thrown as Error | undefined), report }
}

function openSession(root: string, mode: RecordMode, layers: readonly TapeOptions[]): TapeSession {
  return new TapeSession({
    host: machineHost({ root, environment: {}, runner: () => ({}), updateCommand: () => 'update', realTimers: '' }),
    realm: globalThis,
    options: resolveOptions(layers),
    mode: { mode, source: 'option', updateIgnored: false, ci: false },
    test: {
      names: ['uses a server'],
      fullName: 'uses a server',
      file: 'a.test.ts',
      root,
      cassette: path,
      ofFile: () => [path],
      retry: false,
      repeat: false,
    },
  })
}
