/**
 * A runner without a test runner: covers "tests" as Vitest's side does, so that one process can time what a session costs.
 * Owns no measurement. All but the runner is the code of the package.
 */
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { CASSETTE_FORMAT, type Cassette, type HttpInteraction } from '../src/core/cassette/document.ts'
import { encodeBody } from '../src/core/cassette/encode-body.ts'
import { encodeRequestBody } from '../src/core/cassette/request-body.ts'
import { writeCassette } from '../src/core/cassette/write-cassette.ts'
import { hashRequest } from '../src/core/hashing/request-hash.ts'
import { resolveMode } from '../src/core/modes/resolve-mode.ts'
import { jestRealTimers, jestUpdateCommand } from '../src/errors/commands.ts'
import { Attempt, type AttemptReport } from '../src/session/attempt.ts'
import { repeatedRequest, respelledRequest } from '../src/session/calls/repeated-request.ts'
import { storeRequest } from '../src/session/calls/stored-request.ts'
import { machineHost } from '../src/session/machine-host.ts'
import { openFile } from '../src/session/open-file.ts'
import type { SessionContext } from '../src/session/session-context.ts'
import type { SessionHost } from '../src/session/session-host.ts'
import type { RecordingSource } from '../src/session/source/recording-source.ts'
import { verifyHash } from '../src/session/source/verify-hash.ts'
import { resolveOptions, type TapeOptions } from '../src/session/tape-options.ts'
import { TapeSession } from '../src/session/tape-session.ts'
import type { TestIdentity } from '../src/session/test-identity.ts'

/** One call and its answer, to be put on a cassette without being made. */
export interface Exchange {
  readonly url: string
  /** The request's body. */
  readonly body: string
  readonly type: string
  /** As they arrived; 20 ms apart. */
  readonly chunks: readonly (string | Uint8Array)[]
}

/** The cassettes of one folder, and tests that use them. */
export class Workspace {
  readonly root: string
  readonly #host: SessionHost

  /** Lays the roads. `root` has a package.json. */
  constructor(root: string, options: TapeOptions = {}) {
    this.root = root
    this.#host = hostOf(root)
    const path = join(root, 'bench.test.js')
    const file = openFile({ path, options, covered: true, update: 'new', global: globalThis })
    file.interception.ensure()
    file.collecting = false
  }

  /** The test that has the cassette of that name; to be ended. */
  start(name: string): RunningTest {
    return new RunningTest(name, { root: this.root, host: this.#host })
  }
}

export class RunningTest {
  readonly #attempt: Attempt

  constructor(name: string, { root, host }: { readonly root: string; readonly host: SessionHost }) {
    this.#attempt = new Attempt({
      fullName: name,
      identity: () => identityOf(name, root),
      host: () => host,
      update: () => 'new',
      onFirstFailure: () => {},
    })
    this.#attempt.slot.cover('project', {})
    this.#attempt.begin()
  }

  /** Runs a part of the test. */
  run<R>(part: () => R): R {
    return this.#attempt.enter(part)
  }

  /** Errors: whatever the test is red for. */
  async end(): Promise<AttemptReport | undefined> {
    const report = await this.#attempt.end({ passed: true, skipped: false })
    if (this.#attempt.failure !== undefined) throw this.#attempt.failure
    return report
  }
}

function identityOf(name: string, root: string): TestIdentity {
  const cassette = cassettePathOf(name)
  const ofFile = (): readonly string[] => [cassette]
  return { names: [name], fullName: name, file: 'bench.test.js', root, cassette, ofFile, retry: false, repeat: false }
}

function cassettePathOf(name: string): string {
  return `cassettes/${name}.json`
}

/** Writes a cassette with these exchanges, each in its recorded form. Gives its bytes. */
export async function writeRecording(root: string, name: string, exchanges: readonly Exchange[]): Promise<number> {
  const text = await recordingOf(name, exchanges)
  const file = join(root, cassettePathOf(name))
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, text)
  return Buffer.byteLength(text)
}

export async function recordingOf(name: string, exchanges: readonly Exchange[]): Promise<string> {
  const interactions: HttpInteraction[] = []
  for (const exchange of exchanges) interactions.push(await interactionOf(exchange, interactions.length + 1))
  const cassette: Cassette = {
    format: CASSETTE_FORMAT,
    test: name,
    provenance: { kind: 'live' },
    recordedAt: '2026-11-30T12:00:00.000Z',
    recordedWith: { node: '24.0.0', turntape: '0.1.0' },
    interactions,
  }
  return writeCassette(cassette)
}

async function interactionOf({ url, body, type, chunks }: Exchange, number: number): Promise<HttpInteraction> {
  const contentType = 'application/json'
  const request = {
    method: 'POST',
    url,
    headers: { 'content-type': contentType },
    body: await encodeRequestBody(Buffer.from(body), contentType),
  }
  const recorded = chunks.map((chunk) => ({ bytes: typeof chunk === 'string' ? Buffer.from(chunk) : chunk, gapMs: 20 }))
  const { stored, sideFile } = encodeBody({ chunks: recorded, end: { kind: 'complete' } }, { contentType: type })
  if (sideFile !== undefined) throw new TypeError('the bench writes no side files')
  return {
    number,
    kind: 'model',
    hash: hashRequest(request),
    request,
    response: { status: 200, headers: [['content-type', type]], ...(stored !== undefined && { body: stored }) },
    timing: { startMs: number * 1000, headMs: 400 },
  }
}

/**
 * Opens a cassette as a session does at a test's first call: read, checked, ready to find and to serve. So many sessions are
 * made beforehand: a session is a part of its test, and belongs to the row of a test.
 */
export function openings(root: string, name: string, count: number): (number: number) => RecordingSource {
  const contexts = Array.from({ length: count }, sessions(root, name))
  return (number) => {
    const context = contexts[number]
    // As a session is let go when its test has ended: what stays is copied by each collection.
    delete contexts[number]
    if (context === undefined) throw new TypeError(`only ${count} sessions were made`)
    return sourceOf(context)
  }
}

/** A cassette of requests, to look others up in; nothing is served. */
export interface Identities {
  /** From the first request on. */
  start(): (body: Uint8Array) => Promise<void>
}

/** Identity alone: from the bytes that a road captured to the interaction that answers them. */
export async function openIdentities(root: string, name: string, bodies: readonly string[]): Promise<Identities> {
  const url = 'http://llm.test/v1/chat/completions'
  const exchanges = bodies.map((body): Exchange => ({ url, body, type: 'application/json', chunks: ['{}'] }))
  await writeRecording(root, name, exchanges)
  const open = sessions(root, name)
  const headers = [['content-type', 'application/json']] as const
  return {
    start() {
      const context = open()
      const source = sourceOf(context)
      return async (body) => {
        const captured = { method: 'POST', url, headers, body, road: 'fetch' } as const
        const call = { captured, kind: 'model', lane: undefined, entry: context.log.start(undefined) } as const
        const known = repeatedRequest(context, call) ?? respelledRequest(context, call)
        const made = known ?? (await storeRequest(context, call))
        const taken = source.takeHttp({ lane: undefined, ...made, kind: 'model' })
        if (taken.kind !== 'served') throw new TypeError('the request was not found')
        verifyHash(context, { source, interaction: source.interaction(taken.number) })
      }
    },
  }
}

/** Sessions of their own on one cassette, which none of them has opened yet. */
function sessions(root: string, name: string): () => SessionContext {
  const host = hostOf(root)
  const mode = resolveMode({ ci: false, runnerUpdate: 'new', environment: 'replay', option: undefined })
  const options = resolveOptions([{ caps: { maxCassetteBytes: 1024 ** 3, maxInteractions: 100_000 } }])
  return () => new TapeSession({ test: identityOf(name, root), realm: globalThis, host, options, mode }).context
}

function sourceOf(context: SessionContext): RecordingSource {
  const source = context.source()
  if (source === undefined) throw new TypeError('there is no such cassette')
  return source
}

function hostOf(root: string): SessionHost {
  const commands = { updateCommand: jestUpdateCommand, realTimers: jestRealTimers }
  return machineHost({ root, environment: process.env, runner: () => ({}), ...commands })
}
