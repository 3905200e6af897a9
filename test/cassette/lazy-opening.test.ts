import { expect, test } from 'vitest'
import { defaultCaps } from '../../src/core/cassette/caps.ts'
import { decodeBody } from '../../src/core/cassette/decode-body.ts'
import type { HttpInteraction, ResponseBody } from '../../src/core/cassette/document.ts'
import { parseCassette } from '../../src/core/cassette/parse-cassette.ts'
import { writeCassette } from '../../src/core/cassette/write-cassette.ts'
import { hashRequest } from '../../src/core/hashing/request-hash.ts'
import { toolLoop } from './tool-loop.ts'

const turns = 100

/** The members that are still folded, by the number of their interaction. */
function folded(interactions: readonly HttpInteraction[]): readonly string[] {
  return interactions.flatMap(({ number, request, response }) =>
    [request.body, response?.body].flatMap((holder) =>
      Object.entries(Object.getOwnPropertyDescriptors(holder ?? {})).flatMap(([name, { get }]) =>
        get === undefined ? [] : [`${number} ${name}`],
      ),
    ),
  )
}

test('opening a cassette unfolds nothing, and serving one call only its own request and the cuts of its answer', () => {
  const { cassette } = toolLoop({ turns, callCharacters: 250, resultCharacters: 620, answers: 'stream' })
  const withGaps = cassette.interactions.map((interaction) => {
    const { response } = interaction as HttpInteraction
    const body = { ...(response?.body as ResponseBody), gapsMs: [3] }
    return { ...interaction, response: { ...response, body } } as HttpInteraction
  })
  const text = writeCassette({ ...cassette, interactions: withGaps })
  const opened = parseCassette(text, { cassette: 'cassettes/a.json', caps: defaultCaps })
  const interactions = opened.interactions as readonly HttpInteraction[]
  const before = folded(interactions)
  // The first request stands whole; every body has events, cuts and gaps.
  expect(before).toHaveLength(turns - 1 + 3 * turns)

  const served = interactions[49] as HttpInteraction
  expect(hashRequest(served.request)).toBe(served.hash)
  const { chunks } = decodeBody(served.response?.body as ResponseBody, new Map())
  expect(chunks).toHaveLength(1)
  const left = new Set(folded(interactions))
  // Its events are rendered as they stand in the file, run by run.
  expect(before.filter((name) => !left.has(name))).toEqual(['50 json', '50 cuts', '50 gapsMs'])
})
