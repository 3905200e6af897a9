import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { defaultCaps } from '../../src/core/cassette/caps.ts'
import type { Cassette, Json } from '../../src/core/cassette/document.ts'
import { parseCassette } from '../../src/core/cassette/parse-cassette.ts'
import { writeCassette } from '../../src/core/cassette/write-cassette.ts'
import { cassetteOf, fullCassette, httpInteraction, streamBody } from './sample-cassette.ts'

const context = { cassette: 'cassettes/a.json', caps: defaultCaps }

function withJson(json: Json): Cassette {
  return cassetteOf(httpInteraction(1, { json }))
}

describe('writeCassette', () => {
  it('F1 lays out an interaction as a block of lines, an event a line', () => {
    expect(writeCassette(cassetteOf(httpInteraction(1, streamBody)))).toBe(`{
  "format": "turntape/1",
  "test": "flights > books the cheapest flight",
  "provenance": { "kind": "live" },
  "recordedAt": "2026-11-30T12:00:00.000Z",
  "recordedWith": { "node": "20.20.2", "turntape": "0.1.0" },
  "interactions": [
    {
      "number": 1,
      "kind": "model",
      "hash": "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa",
      "request": {
        "method": "POST",
        "url": "https://api.openai.com/v1/chat/completions",
        "headers": { "content-type": "application/json" },
        "body": {
          "json": {
            "model": "gpt-5",
            "stream": true,
            "messages": [{ "role": "user", "content": "Berlin to Oslo on Friday" }]
          }
        }
      },
      "response": {
        "status": 200,
        "headers": [
          ["content-type", "text/event-stream"]
        ],
        "body": {
          "framing": "sse",
          "events": [
            {"event":"delta","data":{"choices":[{"delta":{"content":"Hel"}}]}},
            {"event":"delta","data":{"choices":[{"delta":{"content":"lo"}}]}},
            {"raw":": keep-alive\\n\\n"},
            {"text":"[DONE]"}
          ],
          "cuts": { "events": [1, 3] },
          "gapsMs": [12, 7]
        }
      },
      "timing": { "startMs": 0, "headMs": 120 }
    }
  ]
}
`)
  })

  it('F1 F2 writes the example of the documentation as it stands there', () => {
    const page = readFileSync(new URL('../../docs/cassette-format.md', import.meta.url), 'utf8')
    const example = /```jsonc\n([\s\S]*?)```/.exec(page)?.[1]?.replace('<64 hex digits>', 'a'.repeat(64)) ?? ''
    expect(writeCassette(parseCassette(example, context))).toBe(example)
  })

  it('F1 keeps a long run of numbers or short strings on one line', () => {
    const gapsMs = Array.from({ length: 500 }, (_, index) => index)
    const events = gapsMs.map((index) => ({ data: index }))
    const names = Array.from({ length: 60 }, (_, index) => `country ${index}`)
    const text = writeCassette(cassetteOf({ ...httpInteraction(1, { framing: 'sse', events, gapsMs }) }))
    expect(text).toContain(`"gapsMs": [${gapsMs.join(', ')}]\n`)
    expect(writeCassette(withJson({ names }))).toContain(`"names": ["${names.join('", "')}"]\n`)
  })

  it('F1 writes one line a line of text', () => {
    const text = writeCassette(cassetteOf(httpInteraction(1, { lines: ['a', 'b', ''] })))
    expect(text).toContain(`          "lines": [\n            "a",\n            "b",\n            ""\n          ]\n`)
  })

  it('F2 gives the same text for the same content in any key order', () => {
    expect(writeCassette(reverseKeys(fullCassette) as Cassette)).toBe(writeCassette(fullCassette))
  })

  it('F2 keeps the key order of free JSON', () => {
    const text = writeCassette(withJson({ zebra: 1, apple: 2 }))
    expect(text).toContain('{ "zebra": 1, "apple": 2 }')
  })

  it('escapes line separators and lone surrogates, so that every line end is a real one', () => {
    const text = writeCassette(withJson({ a: 'x\u2028y\u2029z', b: '\ud800' }))
    expect(text).toContain(String.raw`{ "a": "x\u2028y\u2029z", "b": "\ud800" }`)
  })

  it('F2 read then written is the same text, for every member the format has', () => {
    const text = writeCassette(fullCassette)
    const parsed = parseCassette(text, context)
    expect(parsed).toEqual(fullCassette)
    expect(writeCassette(parsed)).toBe(text)
  })

  it('F2 read then written is the same text, for any JSON value', () => {
    const key = fc.string({ unit: 'binary' }).filter((name) => name !== '__proto__')
    const value = fc.letrec<{ json: Json }>((tie) => ({
      json: fc.oneof(
        { maxDepth: 5 },
        fc.constantFrom(null, true, false),
        fc.double({ noNaN: true, noDefaultInfinity: true }).map((number) => number + 0),
        fc.string({ unit: 'binary' }),
        fc.array(tie('json'), { maxLength: 12 }),
        fc.dictionary(key, tie('json'), { maxKeys: 8 }),
      ),
    })).json
    fc.assert(
      fc.property(value, (json) => {
        const text = writeCassette(withJson(json))
        expect(text.split('\n').every((line) => !/[\u2028\u2029\r]/.test(line))).toBe(true)
        expect(writeCassette(parseCassette(text, context))).toBe(text)
      }),
      { numRuns: 150 },
    )
  })
})

function reverseKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(reverseKeys)
  if (typeof value !== 'object' || value === null) return value
  // Free JSON keeps its own order: only the members of the format are reversed.
  const isFree = (name: string) => ['json', 'input', 'value', 'elements', 'data', 'details'].includes(name)
  return Object.fromEntries(
    Object.entries(value)
      .reverse()
      .map(([name, item]) => [name, isFree(name) ? item : reverseKeys(item)]),
  )
}
