/** A session that replays one cassette, without a runner. */
import { machineHost } from '../../src/session/machine-host.ts'
import { resolveOptions } from '../../src/session/tape-options.ts'
import { TapeSession } from '../../src/session/tape-session.ts'
import { type CassetteStore, createStore } from '../../src/store/cassette-store.ts'

export interface Replay {
  readonly root: string
  /** Relative to the root. */
  readonly path: string
  /** Default: one that knows what was released. */
  readonly store?: CassetteStore
}

export function replaySession({ root, path, store = createStore({ root }) }: Replay): TapeSession {
  const machine = machineHost({
    root,
    environment: {},
    runner: () => ({}),
    updateCommand: () => '',
    realTimers: '',
  })
  return new TapeSession({
    host: { ...machine, store },
    realm: globalThis,
    options: resolveOptions([]),
    mode: { mode: 'replay', source: 'option', updateIgnored: false, ci: false },
    test: {
      names: ['answers questions'],
      fullName: 'answers questions',
      file: 'a.test.ts',
      root,
      cassette: path,
      ofFile: () => [path],
      retry: false,
      repeat: false,
    },
  })
}

/** The text that the session answers a POST of this JSON with. */
export function answerTo(session: TapeSession, url: string, json: unknown): Promise<string> {
  return answerToText(session, url, JSON.stringify(json))
}

export async function answerToText(session: TapeSession, url: string, text: string): Promise<string> {
  const body = Buffer.from(text)
  const headers = [['content-type', 'application/json']] as const
  const verdict = await session.route({ method: 'POST', url, headers, body, road: 'fetch' }, { lane: undefined })
  if (verdict.kind !== 'respond') return verdict.kind
  const served = await verdict.response.body?.next()
  return Buffer.from(served ?? []).toString()
}
