/** What is on disk after a process was killed there, read as the next run would read it: a torn file throws. */
import { defaultCaps } from '../../src/core/cassette/caps.ts'
import { decodeBody } from '../../src/core/cassette/decode-body.ts'
import { isHttpInteraction } from '../../src/core/cassette/document.ts'
import { unfoldCassette } from '../../src/core/cassette/unfold-cassette.ts'
import { writeCassette } from '../../src/core/cassette/write-cassette.ts'
import { createStore, type StoredCassette } from '../../src/store/cassette-store.ts'
import { cassettePath, edition, editionNumber } from './scenarios.ts'

export interface Look {
  /** The number of the edition; undefined: there is none. */
  readonly committed: number | undefined
  readonly pending: number | undefined
  readonly refused: boolean
}

export function lookAt(root: string): Look {
  const store = createStore({ root })
  return {
    committed: wholeEdition(store.read(cassettePath, defaultCaps)),
    pending: wholeEdition(store.readPending(cassettePath, defaultCaps)),
    refused: store.pendingRefusal(cassettePath) !== undefined,
  }
}

function wholeEdition(stored: StoredCassette | undefined): number | undefined {
  if (stored === undefined) return undefined
  const number = editionNumber(stored.cassette)
  const wanted = edition(number)
  if (stored.bytes.toString() !== writeCassette(wanted.cassette))
    throw new Error(`edition ${number} is not as it was written`)
  unfoldCassette(stored.cassette)
  for (const interaction of stored.cassette.interactions) {
    if (isHttpInteraction(interaction) && interaction.response?.body !== undefined)
      decodeBody(interaction.response.body, stored.sideFiles)
  }
  return number
}
