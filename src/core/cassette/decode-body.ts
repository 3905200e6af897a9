/** From the stored form of a body back to its chunks: the exact inverse of `encodeBody`; and how much that will be (F20). */
import { ReplayError } from '../../errors/replay-error.ts'
import type { BodyEnd, Chunk, RecordedBody, ResponseBody, SideFiles, StreamEvent } from './document.ts'
import { packedPieces, packedTexts } from './event-texts.ts'
import { renderedJsonBytes, renderJson } from './json-layout.ts'
import { renderEvent } from './stream-events.ts'

/**
 * The recorded chunks, cut where they were cut, with their gaps and how the body ended. A second call gives new chunks.
 * @throws TURNTAPE_CASSETTE_INVALID where a side file is missing (the store's maps verify theirs on `get`).
 */
export function decodeBody(stored: ResponseBody, sideFiles: SideFiles): RecordedBody {
  const { gapsMs, end = complete } = stored
  const chunkAt = chunkMaker(stored, sideFiles)
  const chunks: Chunk[] = []
  for (let bytes = chunkAt(0); bytes !== undefined; bytes = chunkAt(chunks.length)) {
    chunks.push({ bytes, gapMs: gapsMs?.[chunks.length] ?? 0 })
  }
  return { chunks, end }
}

/**
 * Gives the chunk at a place, from 0; undefined past the last one. New bytes at each call, in memory of their own, so that
 * a consumer may transfer or change them.
 */
export type ChunkMaker = (index: number) => Uint8Array | undefined

/** The chunks one by one, so that they are written as they are taken. @throws as `decodeBody` does. */
export function chunkMaker(stored: ResponseBody, sideFiles: SideFiles): ChunkMaker {
  const { cuts } = stored
  if ('events' in stored && (cuts === undefined || 'events' in cuts)) {
    const texts = textsOf(stored)
    return textChunks(cuts === undefined ? texts : joinedTexts(texts, cuts.events))
  }
  if (cuts !== undefined && 'bytes' in cuts) return byteChunks(contentBytes(stored, sideFiles), cuts.bytes)
  return wholeChunk(stored, sideFiles)
}

/** All bytes of the body as one chunk, wherever it was cut. @throws as `decodeBody` does. */
export function wholeChunk(stored: ResponseBody, sideFiles: SideFiles): ChunkMaker {
  return (index) => (index === 0 ? contentBytes(stored, sideFiles) : undefined)
}

/** The number of chunks the body is served in. */
export function chunkCount(stored: ResponseBody): number {
  const { cuts } = stored
  if (cuts !== undefined) return 'events' in cuts ? cuts.events.length : cuts.bytes.length
  return 'events' in stored ? stored.events.length : 1
}

/** The number of bytes of the body. Indentation, which alone can be far larger than the file, is counted, not written. */
export function bodyBytes(stored: ResponseBody): number {
  if ('json' in stored) return renderedJsonBytes(stored.json, stored.layout)
  if ('text' in stored) return Buffer.byteLength(stored.text)
  if ('lines' in stored) return sum(stored.lines, (line) => Buffer.byteLength(line) + 1) - 1
  if ('base64' in stored) return Buffer.byteLength(stored.base64, 'base64')
  if ('file' in stored) return stored.bytes
  return sum(stored.events, (event, index) => eventBytes(event, stored, index))
}

/** Only elements of a JSON array may be indented. */
function eventBytes(event: StreamEvent, stored: EventBody, index: number): number {
  const layout = 'data' in event ? (event.layout ?? stored.layout) : undefined
  if (layout?.indent === undefined || !('data' in event)) return Buffer.byteLength(renderEvent(event, stored, index))
  const around = renderEvent({ ...event, data: 0, layout: {} }, stored, index)
  return Buffer.byteLength(around) - 1 + renderedJsonBytes(event.data, layout)
}

const complete: BodyEnd = { kind: 'complete' }
const encoder = new TextEncoder()

type EventBody = Extract<ResponseBody, { events: unknown }>

function textChunks(texts: readonly string[]): ChunkMaker {
  return (index) => {
    const text = texts[index]
    return text === undefined ? undefined : encoder.encode(text)
  }
}

/** The texts of so many events each. */
function joinedTexts(texts: readonly string[], counts: readonly number[]): readonly string[] {
  let start = 0
  return counts.map((count) => {
    const first = start
    start += count
    return count === 1 ? (texts[first] ?? '') : texts.slice(first, start).join('')
  })
}

function textsOf(stored: EventBody): readonly string[] {
  return packedTexts(stored) ?? stored.events.map((event, index) => renderEvent(event, stored, index))
}

function byteChunks(bytes: Uint8Array, lengths: readonly number[]): ChunkMaker {
  let end = 0
  const ends = lengths.map((length) => {
    end += length
    return end
  })
  return (index) => {
    const length = lengths[index]
    return length === undefined ? undefined : bytes.slice((ends[index] as number) - length, ends[index])
  }
}

/** All bytes of the body, in memory of their own. */
function contentBytes(stored: ResponseBody, sideFiles: SideFiles): Uint8Array {
  if ('json' in stored) return encoder.encode(renderJson(stored.json, stored.layout))
  if ('text' in stored) return encoder.encode(stored.text)
  if ('lines' in stored) return encoder.encode(stored.lines.join('\n'))
  if ('base64' in stored) return new Uint8Array(Buffer.from(stored.base64, 'base64'))
  if ('file' in stored) return sideFile(stored.file, sideFiles)
  return encodeAll(packedPieces(stored) ?? textsOf(stored))
}

const maxJoinedLength = 65_536

/** Long ones one after the other: joining them as a text first would copy them once more. */
function encodeAll(texts: readonly string[]): Uint8Array {
  if (sum(texts, (text) => text.length) <= maxJoinedLength) return encoder.encode(texts.join(''))
  const bytes = new Uint8Array(sum(texts, (text) => Buffer.byteLength(text)))
  let start = 0
  for (const text of texts) start += encoder.encodeInto(text, bytes.subarray(start)).written
  return bytes
}

function sideFile(name: string, sideFiles: SideFiles): Uint8Array {
  const bytes = sideFiles.get(name)
  if (bytes === undefined) {
    throw new ReplayError('TURNTAPE_CASSETTE_INVALID', { cassette: name, reason: 'the side file is missing' })
  }
  return Uint8Array.from(bytes)
}

function sum<T>(items: readonly T[], sizeOf: (item: T, index: number) => number): number {
  let total = 0
  for (const [index, item] of items.entries()) total += sizeOf(item, index)
  return total
}
