/** What is being written when the process dies, and what may be there afterwards. */
import { defaultCaps } from '../../src/core/cassette/caps.ts'
import type { Cassette, SideFiles } from '../../src/core/cassette/document.ts'
import { encodeBody } from '../../src/core/cassette/encode-body.ts'
import type { CassetteStore } from '../../src/store/cassette-store.ts'
import { cassetteOf, httpInteraction, streamBody } from '../cassette/sample-cassette.ts'

export const cassettePath = 'cassettes/test/flights.test/books.json'

/** A recording and its side files. */
export interface Edition {
  readonly cassette: Cassette
  readonly sideFiles: SideFiles
}

/** The nth recording of one test: an image that every edition has, one that its neighbour has too, a larger one of its own. */
export function edition(number: number): Edition {
  const images = [
    image(0, 3000),
    image(1 + (number >> 1), 3000),
    image(1000 + number, number % 2 === 0 ? 3000 : 200_000),
  ]
  const interactions = images.map(({ stored }, at) => httpInteraction(at + 1, stored))
  return {
    cassette: { ...cassetteOf(...interactions, httpInteraction(4, streamBody)), test: nameOf(number) },
    sideFiles: new Map(images.map(({ name, content }) => [name, content])),
  }
}

/** The number of the edition that a cassette is. */
export function editionNumber({ test }: Cassette): number {
  return Number(test.slice(nameOf('').length))
}

function nameOf(number: number | ''): string {
  return `edition ${number}`
}

function image(seed: number, bytes: number) {
  const content = new Uint8Array(bytes).fill(0xfe)
  content.set([seed & 0xff, (seed >> 8) & 0xff], bytes - 2)
  const body = { chunks: [{ bytes: content, gapMs: 0 }], end: { kind: 'complete' } } as const
  const { stored, sideFile } = encodeBody(body, { contentType: 'image/png' })
  if (stored === undefined || sideFile === undefined) throw new TypeError('the image became no side file')
  return { stored, name: sideFile.name, content }
}

interface ScenarioFacts {
  /** What was there before. */
  readonly before: { readonly committed?: number; readonly pending?: number; readonly refused?: true }
  readonly run: (store: CassetteStore) => unknown
  /** Editions that may be committed and pending afterwards; undefined: none at all. */
  readonly committed: readonly (number | undefined)[]
  readonly pending: readonly (number | undefined)[]
  /** Edition 2 was kept before: it must be somewhere, whatever happens. */
  readonly never?: 'lost'
  /** Editions that are refused as long as they are pending. */
  readonly isRefused?: readonly (number | undefined)[]
}

const commit = (store: CassetteStore, number: number): string =>
  store.write({ path: cassettePath, ...edition(number), caps: defaultCaps, expected: store.token(cassettePath) })

const secret = 'it would give a secret away'

export const scenarios = {
  'the first commit': { before: {}, run: (store) => commit(store, 2), committed: [undefined, 2], pending: [undefined] },
  'another commit': {
    before: { committed: 1 },
    run: (store) => commit(store, 2),
    committed: [1, 2],
    pending: [undefined],
  },
  'the first pending recording': {
    before: { committed: 1 },
    run: (store) => store.writePending({ path: cassettePath, ...edition(2) }),
    committed: [1],
    pending: [undefined, 2],
  },
  'another pending recording': {
    before: { pending: 1 },
    run: (store) => store.writePending({ path: cassettePath, ...edition(2) }),
    committed: [undefined],
    pending: [1, 2],
  },
  'a refused pending recording': {
    before: { pending: 1 },
    run: (store) => store.writePending({ path: cassettePath, ...edition(2), refusal: secret }),
    committed: [undefined],
    pending: [1, 2],
    isRefused: [2],
  },
  'a pending recording in the place of a refused one': {
    before: { pending: 1, refused: true },
    run: (store) => store.writePending({ path: cassettePath, ...edition(2) }),
    committed: [undefined],
    pending: [1, 2],
    isRefused: [1],
  },
  'a pending recording that is committed': {
    before: { committed: 1, pending: 2 },
    run: (store) => {
      commit(store, 2)
      store.removePending(cassettePath)
    },
    committed: [1, 2],
    pending: [undefined, 2],
    never: 'lost',
  },
  'a refused pending recording that is removed': {
    before: { pending: 2, refused: true },
    run: (store) => store.removePending(cassettePath),
    committed: [undefined],
    pending: [undefined, 2],
    isRefused: [2],
  },
  'a cassette that is removed': {
    before: { committed: 1 },
    run: (store) => store.remove(cassettePath, store.token(cassettePath)),
    committed: [undefined, 1],
    pending: [undefined],
  },
} as const satisfies Readonly<Record<string, ScenarioFacts>>

export type Scenario = keyof typeof scenarios

/** What was there before, in a store of its own. */
export function prepare(store: CassetteStore, scenario: Scenario): void {
  const { committed, pending, refused }: ScenarioFacts['before'] = scenarios[scenario].before
  if (committed !== undefined) commit(store, committed)
  if (pending === undefined) return
  store.writePending({ path: cassettePath, ...edition(pending), ...(refused === undefined ? {} : { refusal: secret }) })
}

export function factsOf(scenario: Scenario): ScenarioFacts {
  return scenarios[scenario]
}
