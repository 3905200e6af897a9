/**
 * Jest's side of one attempt of one test: tells the outcome, and puts the first failure among the test's errors, since a
 * hook that throws would be listed behind what an SDK made of it. Decisions are the session's.
 */
import { dirname } from 'node:path'
import { cassettePath } from '../../core/cassette/cassette-path.ts'
import { Attempt } from '../../session/attempt.ts'
import { presentable, repeats } from '../../session/ending/presentable.ts'
import { packageRoot } from '../../session/open-file.ts'
import type { TestIdentity } from '../../session/test-identity.ts'
import { posixRelative } from '../../store/package-root.ts'
import { blocksAbove, type CircusTest, namesOf } from './circus.ts'
import type { JestFile } from './jest-file.ts'
import { leaveLine, wantsPlaces } from './run-folder.ts'

export interface TestPlan {
  readonly file: JestFile
  /** 1-based, among the tests of the file with an equal name. */
  readonly index: number
  attempts: number
}

export class TestAttempt extends Attempt {
  readonly #test: CircusTest
  readonly #plan: TestPlan
  /** The failure came before any other error of this attempt. */
  #failedFirst = false

  constructor(test: CircusTest, plan: TestPlan) {
    const { file } = plan
    const retry = plan.attempts > 0
    plan.attempts += 1
    super({
      fullName: namesOf(test).join(' > '),
      identity: (path) => identityOf(test, { ...plan, retry, path }),
      host: (root) => file.host(root),
      update: () => file.update(),
      onFirstFailure: () => {
        this.#failedFirst = test.errors.length === 0
      },
    })
    this.#test = test
    this.#plan = plan
    if (file.covered) this.slot.cover('project', {})
    for (const options of blocksAbove(test).flatMap((block) => file.layers(block))) this.slot.cover('group', options)
    for (const options of file.layers(test)) this.slot.cover('test', options)
    file.current.interception.ensure()
    this.begin()
  }

  /** Ends the attempt after every hook. */
  async finish(): Promise<void> {
    // Of a test that is to fail, Jest has turned the outcome round already.
    await this.#end(this.#test.errors.length === 0)
    const failure = this.#presentable()
    if (failure === undefined) return
    const others = this.#test.errors.filter((entry) => !repeats(errorIn(entry), failure))
    const own = [failure, this.#test.asyncError]
    this.#test.errors = this.#failedFirst ? [own, ...others] : [...others, own]
  }

  /** Runs the body of a concurrent test, which has no hooks, and ends the attempt with it. */
  async runAlone(body: () => unknown): Promise<void> {
    let thrown: { readonly error: unknown } | undefined
    try {
      await this.enter(body)
    } catch (error) {
      thrown = { error }
    }
    await this.#end(this.#test.failing ? thrown !== undefined : thrown === undefined)
    const failure = this.#presentable()
    if (failure !== undefined) {
      // Not the failure that the test waits for.
      if (this.#test.failing) this.#test.errors.push([failure, this.#test.asyncError])
      const isNews = thrown !== undefined && !repeats(errorIn(thrown.error), failure)
      if (isNews && failure.cause === undefined) failure.cause = thrown?.error
      throw failure
    }
    if (thrown !== undefined) throw thrown.error
  }

  async #end(passed: boolean): Promise<void> {
    const ended = await this.end({ passed, skipped: false })
    if (ended === undefined) return
    const { file, index } = this.#plan
    const line = wantsPlaces() ? lineOf(placeOf(this.#test)) : undefined
    leaveLine({ ...file.run, names: namesOf(this.#test), index, ...(line === undefined ? {} : { line }), ...ended })
  }

  #presentable(): Error | undefined {
    return this.failure === undefined ? undefined : presentable(this.failure, () => placeOf(this.#test))
  }
}

interface IdentityFacts extends TestPlan {
  readonly retry: boolean
  readonly path: string | undefined
}

function identityOf(test: CircusTest, { file, index, retry, path }: IdentityFacts): TestIdentity {
  const names = namesOf(test)
  const root = packageRoot(dirname(file.path))
  const testFile = posixRelative(root, file.path)
  const cassette = path ?? cassettePath({ testFile, names, index })
  const ofFile = (): readonly string[] => file.cassettes()
  return { names, fullName: names.join(' > '), file: testFile, root, cassette, ofFile, retry, repeat: false }
}

/** Circus keeps an error alone, or with the one that knows where the test was defined. */
function errorIn(entry: unknown): { readonly message?: unknown } {
  const error: unknown = Array.isArray(entry) ? entry[0] : entry
  return typeof error === 'object' && error !== null ? error : { message: error }
}

/** Where the test was defined. */
function placeOf({ asyncError }: CircusTest): string | undefined {
  const frames = (asyncError.stack ?? '').split('\n').filter((line) => /^\s+at /.test(line))
  const frame = frames.find((line) => !/node_modules|node:|\/turntape\/dist\//.test(line))
  return frame === undefined ? undefined : (/\(([^()]+)\)\s*$/.exec(frame)?.[1] ?? frame.trim().slice('at '.length))
}

function lineOf(place: string | undefined): number | undefined {
  const line = /:(\d+)(?::\d+)?$/.exec(place ?? '')?.[1]
  return line === undefined ? undefined : Number(line)
}
