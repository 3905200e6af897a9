/** Files as version 1 writes them: what they say is frozen, and so is what must be refused (F18). */
import { createHash } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { defaultCaps } from '../../src/core/cassette/caps.ts'
import { decodeBody } from '../../src/core/cassette/decode-body.ts'
import { type Cassette, isHttpInteraction } from '../../src/core/cassette/document.ts'
import { parseCassette } from '../../src/core/cassette/parse-cassette.ts'
import { writeCassette } from '../../src/core/cassette/write-cassette.ts'
import { hashRequest, hashValueRequest } from '../../src/core/hashing/request-hash.ts'
import { formatNames, readFormatBytes, readFormats } from './format-files.ts'

interface Meaning {
  readonly document: Cassette
  /** What each interaction serves; null: no body. */
  readonly bodies: readonly ({
    readonly chunks: readonly number[]
    readonly gapsMs: readonly number[]
    readonly sha256: string
  } | null)[]
}

const names = formatNames('v1/valid').filter((name) => !name.endsWith('.meaning.json'))
const sideFiles = new Map(
  formatNames('v1/valid/bodies.files').map((name) => [
    name,
    new Uint8Array(readFormatBytes(`v1/valid/bodies.files/${name}`)),
  ]),
)

function open(name: string): { readonly text: string; readonly cassette: Cassette; readonly meaning: Meaning } {
  const bytes = readFormatBytes(`v1/valid/${name}`)
  return {
    text: bytes.toString('utf8'),
    cassette: parseCassette(bytes, { cassette: name, caps: defaultCaps }),
    meaning: readFormats(`v1/valid/${name.replace('.json', '.meaning.json')}`),
  }
}

describe.each(names)('%s', (name) => {
  test('F18 says what it said when the version was released', () => {
    const { cassette, meaning } = open(name)
    expect(JSON.stringify(cassette)).toBe(JSON.stringify(meaning.document))
  })

  test('F5 F8 serves the bytes, cuts and gaps that it served then', () => {
    const { cassette, meaning } = open(name)
    const served = cassette.interactions.map((interaction) => {
      const body = 'response' in interaction ? interaction.response?.body : undefined
      if (body === undefined) return null
      const { chunks } = decodeBody(body, sideFiles)
      return {
        chunks: chunks.map(({ bytes }) => bytes.length),
        gapsMs: chunks.map(({ gapMs }) => gapMs),
        sha256: createHash('sha256')
          .update(Buffer.concat(chunks.map(({ bytes }) => bytes)))
          .digest('hex'),
      }
    })
    expect(served).toEqual(meaning.bodies)
  })

  test('F13 holds the hashes of its requests', () => {
    for (const interaction of open(name).cassette.interactions) {
      const hash = isHttpInteraction(interaction)
        ? hashRequest(interaction.request)
        : hashValueRequest({ kind: interaction.kind, ...interaction.request })
      expect([interaction.number, hash]).toEqual([interaction.number, interaction.hash])
    }
  })

  test('F2 loses nothing when it is written again', () => {
    const { cassette } = open(name)
    const again = parseCassette(writeCassette(cassette), { cassette: name, caps: defaultCaps })
    expect(JSON.stringify(again)).toBe(JSON.stringify(cassette))
  })

  test('F2 means the same with other line ends, indentation and escapes', () => {
    const { text, cassette } = open(name)
    const others = [text.replaceAll('\n', '\r\n'), JSON.stringify(JSON.parse(text)), ascii(text)]
    for (const other of others) {
      const read = parseCassette(other, { cassette: name, caps: defaultCaps })
      expect(JSON.stringify(read)).toBe(JSON.stringify(cassette))
    }
  })
})

function ascii(text: string): string {
  return text.replace(/[\u0080-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
}
