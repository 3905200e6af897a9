/** From what clients showed, what the server sent and what lies on the cassettes to the facts of the table. Runs nothing. */
import { isDeepStrictEqual } from 'node:util'
import { decodeBody } from '../../src/core/cassette/decode-body.ts'
import type { OpenedCassette } from '../../src/session/open-cassette.ts'

export const facts = [
  'recorded',
  'streamed',
  'aborted',
  'error',
  'replayed',
  'chunk-exact',
  'divergence shown',
] as const
export type Fact = (typeof facts)[number]

/** `yes`, or in a few words why not. */
export type CellFacts = Readonly<Record<Fact, string>>

/** One row of one Node. */
export interface CensusCell {
  readonly name: string
  readonly package?: string
  readonly road: string
  readonly facts: CellFacts
}

type Scenario = 'answered' | 'streamed' | 'aborted' | 'error' | 'diverged'

interface Seen {
  readonly name: string
  readonly id: string
  readonly scenario: Scenario
  readonly package?: string
  readonly road: string
  readonly rawChunks: boolean
  readonly cassette?: string
  readonly text?: string
  readonly pieces?: readonly string[]
  readonly error?: { readonly message: string }
}

/** An answer of the server. */
export interface Sent {
  readonly cell: string
  readonly scenario: string
  readonly chunks: readonly Uint8Array[]
  readonly seenInTime?: boolean
  readonly closedEarly: boolean
  /** It came with the header of a tracing tool. */
  readonly traced?: boolean
}

/** One of the two runs. */
export interface CensusRun {
  readonly seen: readonly Seen[]
  /** What the tests failed with, by row and scenario, `openai, chat > answers`. */
  readonly failures: ReadonlyMap<string, string>
}

export interface CensusRuns {
  readonly recorded: CensusRun
  readonly replayed: CensusRun
  readonly sent: readonly Sent[]
  /** What the servers send. */
  readonly answerText: string
  readonly words: readonly string[]
  /** Undefined: there is no such file. */
  open(cassette: string): OpenedCassette | undefined
}

const titles: Readonly<Record<Scenario, string>> = {
  answered: 'answers',
  streamed: 'streams',
  aborted: 'is aborted',
  error: 'shows an error',
  diverged: 'asks for something else',
}

/** One row a client, in the order of their names. */
export function judgeCells(runs: CensusRuns): readonly CensusCell[] {
  const names = new Set([...runs.recorded.failures.keys()].map((title) => title.split(' > ')[0] ?? ''))
  for (const { name } of runs.recorded.seen) names.add(name)
  return [...names].map((name) => new Row(name, runs).cell())
}

class Row {
  readonly #name: string
  readonly #runs: CensusRuns

  constructor(name: string, runs: CensusRuns) {
    this.#name = name
    this.#runs = runs
  }

  cell(): CensusCell {
    const shown = [...this.#runs.recorded.seen, ...this.#runs.replayed.seen].find(({ name }) => name === this.#name)
    return {
      name: this.#name,
      ...(shown?.package !== undefined && { package: shown.package }),
      road: shown?.road ?? '',
      facts: {
        recorded: this.#recorded(),
        streamed: this.#streamed(),
        aborted: this.#aborted(),
        error: this.#error(),
        replayed: this.#replayed(),
        'chunk-exact': this.#chunkExact(),
        'divergence shown': this.#divergence(),
      },
    }
  }

  #recorded(): string {
    const seen = this.#seen('recorded', 'answered')
    if (seen === undefined) return this.#failure('recorded', 'answered') ?? 'not run'
    if (seen.text !== this.#runs.answerText) return 'another answer'
    if (this.#sent('answered').length !== 1) return `${this.#sent('answered').length} requests`
    return this.#failure('recorded', 'answered') ?? (this.#interactions(seen) > 0 ? 'yes' : 'not captured')
  }

  #streamed(): string {
    const seen = this.#seen('recorded', 'streamed')
    if (seen === undefined) return this.#failure('recorded', 'streamed') ?? 'not run'
    const { seenInTime, chunks = [] } = this.#sent('streamed')[0] ?? {}
    const whole = seen.rawChunks ? Buffer.concat(chunks).toString('latin1') : this.#runs.words.join('')
    if (seen.pieces?.join('') !== whole) return 'other pieces'
    if (this.#failure('recorded', 'streamed') !== undefined) return this.#failure('recorded', 'streamed') ?? ''
    return seenInTime === true ? 'yes' : 'only at the end'
  }

  #aborted(): string {
    const [live, replayed] = [this.#seen('recorded', 'aborted'), this.#seen('replayed', 'aborted')]
    const failure = this.#failure('recorded', 'aborted') ?? this.#failure('replayed', 'aborted')
    if (failure !== undefined) return failure
    if (live?.error === undefined) return 'no error'
    if (this.#sent('aborted')[0]?.closedEarly !== true) return 'the request goes on'
    return isDeepStrictEqual(live.error, replayed?.error) ? 'yes' : 'shown otherwise in replay'
  }

  #error(): string {
    const [live, replayed] = [this.#seen('recorded', 'error'), this.#seen('replayed', 'error')]
    const failure = this.#failure('recorded', 'error') ?? this.#failure('replayed', 'error')
    if (failure !== undefined) return failure
    if (live?.error === undefined) return 'no error'
    return isDeepStrictEqual(live.error, replayed?.error) ? 'yes' : 'shown otherwise in replay'
  }

  #replayed(): string {
    for (const scenario of ['answered', 'streamed'] as const) {
      const failure = this.#failure('replayed', scenario)
      if (failure !== undefined) return failure
      if (this.#shown('recorded', scenario) !== this.#shown('replayed', scenario)) return 'differs'
    }
    return 'yes'
  }

  #chunkExact(): string {
    const live = this.#seen('recorded', 'streamed')
    if (live?.package === '@modelcontextprotocol/sdk') return '–' // messages
    const [stored] = live === undefined ? [] : this.#bodies(live)
    const sent = this.#sent('streamed')[0]?.chunks ?? []
    if (live === undefined || stored === undefined) return 'nothing recorded'
    if (!Buffer.concat(stored).equals(Buffer.concat(sent))) return 'other bytes'
    if (!isCutAs(stored, sent) || stored.length < 2) return 'cut elsewhere'
    const pieces = (run: 'recorded' | 'replayed') =>
      this.#seen(run, 'streamed')?.pieces?.map((piece) => Buffer.from(piece, 'latin1')) ?? []
    if (!live.rawChunks) return 'yes'
    // A slow reader may have found several chunks joined while the server was there.
    return isCutAs(pieces('recorded'), stored) && isDeepStrictEqual(pieces('replayed').map(hex), stored.map(hex))
      ? 'yes'
      : 'served otherwise'
  }

  #divergence(): string {
    if (this.#failure('recorded', 'diverged') !== undefined) return this.#failure('recorded', 'diverged') ?? ''
    const failure = this.#failure('replayed', 'diverged')
    if (failure !== 'TURNTAPE_DIVERGED') return failure ?? 'the test passed'
    const message = JSON.stringify(this.#seen('replayed', 'diverged')?.error ?? '')
    return message.includes('something else') ? 'yes' : 'by the test alone'
  }

  /** The chunks of every response on the cassette. */
  #bodies({ cassette = '' }: Seen): readonly (readonly Uint8Array[])[] {
    const opened = this.#runs.open(cassette)
    return (opened?.cassette.interactions ?? []).flatMap((interaction) => {
      if (opened === undefined || !('response' in interaction) || interaction.response?.body === undefined) return []
      return [decodeBody(interaction.response.body, opened.sideFiles).chunks.map(({ bytes }) => bytes)]
    })
  }

  #interactions({ cassette = '' }: Seen): number {
    return this.#runs.open(cassette)?.cassette.interactions.length ?? 0
  }

  #seen(run: 'recorded' | 'replayed', scenario: Scenario): Seen | undefined {
    return this.#runs[run].seen.find((seen) => seen.name === this.#name && seen.scenario === scenario)
  }

  /** What a call gave in all: its pieces joined, since the network may have joined some of them. */
  #shown(run: 'recorded' | 'replayed', scenario: Scenario): string | undefined {
    const seen = this.#seen(run, scenario)
    return seen?.text ?? seen?.pieces?.join('')
  }

  #failure(run: 'recorded' | 'replayed', scenario: Scenario): string | undefined {
    return failureOf(this.#runs[run].failures.get(`${this.#name} > ${titles[scenario]}`))
  }

  #sent(scenario: Scenario): readonly Sent[] {
    const id = this.#name
      .toLowerCase()
      .replace(/[^a-z0-9]+/g, '-')
      .replace(/^-|-$/g, '')
    return this.#runs.sent.filter((sent) => sent.cell === id && sent.scenario === scenario)
  }
}

/** A test's failure in short: our code, or its first words. */
export function failureOf(message: string | undefined): string | undefined {
  if (message === undefined) return undefined
  return /TURNTAPE_[A-Z_]+/.exec(message)?.[0] ?? message.split('\n')[0]?.slice(0, 80) ?? 'failed'
}

const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex')

/** True where every cut is one of the model's: chunks may have been joined on the way, but not cut anew. */
function isCutAs(chunks: readonly Uint8Array[], model: readonly Uint8Array[]): boolean {
  const cuts = new Set(cutsOf(model))
  return cutsOf(chunks).every((cut) => cuts.has(cut))
}

/** Where each chunk ends, counted in bytes from the start. */
function cutsOf(chunks: readonly Uint8Array[]): readonly number[] {
  let end = 0
  return chunks.map(({ byteLength }) => {
    end += byteLength
    return end
  })
}
