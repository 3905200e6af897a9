/** The vectors of version 1: they stay for ever, and only grow (F18). */
import { describe, expect, test } from 'vitest'
import { Draft } from '../../src/core/cassette/apply-edits.ts'
import { unpackColumn } from '../../src/core/cassette/columns.ts'
import { decodeBody } from '../../src/core/cassette/decode-body.ts'
import type { BodyEnd, Json, JsonLayout, ResponseBody, StreamEvent } from '../../src/core/cassette/document.ts'
import { encodeBody } from '../../src/core/cassette/encode-body.ts'
import { unpackNumbers } from '../../src/core/cassette/number-list.ts'
import { unpackEvents } from '../../src/core/cassette/pack-events.ts'
import type { Column, Edit, PackedEvent } from '../../src/core/cassette/packed-document.ts'
import { readPlace, type ValuePlace } from '../../src/core/cassette/value-place.ts'
import { canonicalJson } from '../../src/core/hashing/canonical-json.ts'
import { hashValueRequest, type ValueRequest } from '../../src/core/hashing/request-hash.ts'
import { readFormats } from './format-files.ts'

describe('bodies', () => {
  interface EncodingVector {
    readonly title: string
    readonly contentType: string
    readonly chunks: readonly (string | { readonly base64: string })[]
    readonly gapsMs?: readonly number[]
    readonly end?: BodyEnd
    readonly stored: ResponseBody
  }

  test.each(readFormats<readonly EncodingVector[]>('v1/encoding-vectors.json'))(
    'F5 F8 F9 F10 vector: $title',
    ({ contentType, chunks, gapsMs, end = { kind: 'complete' }, stored }) => {
      const body = {
        chunks: chunks.map((chunk, index) => ({
          bytes: bytesOf(chunk),
          gapMs: gapsMs?.[index] ?? 0,
        })),
        end,
      }
      expect(decodeBody(stored, new Map())).toEqual(body)
      expect(encodeBody(body, { contentType })).toEqual({ stored })
    },
  )

  function bytesOf(chunk: string | { readonly base64: string }): Uint8Array {
    return new Uint8Array(typeof chunk === 'string' ? Buffer.from(chunk) : Buffer.from(chunk.base64, 'base64'))
  }
})

describe('columns', () => {
  const { columns, runs, numbers } = readFormats<{
    readonly columns: readonly {
      readonly title: string
      readonly count: number
      readonly column: Column
      readonly values: readonly Json[]
      readonly spelled?: readonly (string | null)[]
    }[]
    readonly runs: readonly {
      readonly title: string
      readonly layout?: JsonLayout
      readonly events: readonly PackedEvent[]
      readonly unfolded: readonly StreamEvent[]
    }[]
    readonly numbers: readonly { readonly list: readonly (number | string)[]; readonly unfolded: readonly number[] }[]
  }>('v1/column-vectors.json')

  test.each(columns)('F9 vector: $title', ({ column, count, values, spelled }) => {
    const cells = unpackColumn(column, count)
    expect(cells.map(({ value }) => value)).toEqual(values)
    expect(cells.map((cell) => cell.spelled ?? null)).toEqual(spelled ?? values.map(() => null))
  })

  test.each(runs)('F9 vector: $title', ({ events, layout, unfolded }) => {
    expect(unpackEvents(events, layout)).toEqual(unfolded)
  })

  test.each(numbers)('F8 vector: $list', ({ list, unfolded }) => {
    expect(unpackNumbers(list)).toEqual(unfolded)
  })
})

describe('requests told by earlier ones', () => {
  interface EditVector {
    readonly title: string
    readonly base: Json
    readonly edits: readonly Edit[]
  }
  const { edits, refused, places } = readFormats<{
    readonly edits: readonly (EditVector & { readonly result: Json })[]
    readonly refused: readonly EditVector[]
    readonly places: readonly { readonly text: string; readonly place: ValuePlace | null }[]
  }>('v1/delta-vectors.json')

  function applyAll({ base, edits: all }: EditVector): { readonly applied: boolean; readonly value: Json } {
    const draft = new Draft(base)
    return { applied: all.every((edit) => draft.apply(edit)), value: draft.value }
  }

  test.each(edits)('F11 vector: $title', (vector) => {
    const before = JSON.stringify(vector.base)
    const { applied, value } = applyAll(vector)
    expect([applied, JSON.stringify(value)]).toEqual([true, JSON.stringify(vector.result)])
    expect(JSON.stringify(vector.base)).toBe(before)
  })

  test.each(refused)('F11 vector: refused, $title', (vector) => {
    expect(applyAll(vector).applied).toBe(false)
  })

  test.each(places)('F11 vector: the place $text', ({ text, place }) => {
    expect(readPlace(text) ?? null).toEqual(place)
  })
})

describe('values', () => {
  interface ValueHashVector extends ValueRequest {
    readonly title: string
    readonly canonical: string
    readonly hash: string
  }

  test.each(readFormats<readonly ValueHashVector[]>('v1/value-hash-vectors.json'))(
    'F13 vector: $title',
    ({ kind, name, input, canonical, hash }) => {
      expect(canonicalJson({ kind, name, input })).toBe(canonical)
      expect(hashValueRequest({ kind, name, input })).toBe(hash)
    },
  )
})
