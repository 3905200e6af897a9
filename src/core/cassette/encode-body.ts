/**
 * From recorded chunks to the most readable stored form that gives back their exact bytes, cuts, gaps and end (F5, F8, F10).
 * Every form is proved by decoding it; where the proof fails the next, simpler one is tried. Knows no files: a side
 * file is handed back to whoever stores it.
 */
import { contentHash } from './content-hash.ts'
import { decodeBody } from './decode-body.ts'
import type { BodyContent, Cuts, RecordedBody, ResponseBody, SideFiles, StreamEvent } from './document.ts'
import { findLayout } from './find-layout.ts'
import { parseStorable } from './json-text.ts'
import { mediaKindOf, sideFileExtension } from './media-type.ts'
import { maxEvents } from './packed-document.ts'
import { storeText, textOf } from './stored-text.ts'
import { isWithinBound } from './stream-bound.ts'
import { parseEvents, renderEvent } from './stream-events.ts'

/** Binary content up to this size stays in the cassette as base64; larger content becomes a side file. */
const maxInlineBytes = 1024

export interface EncodedBody {
  /** Undefined: there was no body at all (no bytes, no chunks, complete). */
  readonly stored: ResponseBody | undefined
  /** Present: content that `stored` refers to by this name, to be stored beside the cassette. */
  readonly sideFile?: SideFile
}

export interface SideFile {
  /** `<sha256>.<extension>` */
  readonly name: string
  readonly bytes: Uint8Array
}

/** Bytes must be redacted before; the body is kept whole, never lossy, whatever it holds. */
export function encodeBody(body: RecordedBody, options: { readonly contentType: string | undefined }): EncodedBody {
  if (body.chunks.length === 0 && body.end.kind === 'complete') return { stored: undefined }
  const bytes = joinChunks(body)
  const text = textOf(bytes)
  if (text === undefined) return encodeBinary(body, bytes, options.contentType)
  for (const content of textForms(text, body, options.contentType)) {
    const stored = withChunks(content, body)
    if (sameBody(decodeBody(stored, noSideFiles), body)) return { stored }
  }
  return encodeBinary(body, bytes, options.contentType)
}

/** True where both have the same chunks, byte for byte, with the same gaps. */
export function sameBody(one: RecordedBody, other: RecordedBody): boolean {
  if (one.chunks.length !== other.chunks.length || one.end.kind !== other.end.kind) return false
  return one.chunks.every((chunk, index) => {
    const twin = other.chunks[index]
    return twin !== undefined && chunk.gapMs === twin.gapMs && Buffer.compare(chunk.bytes, twin.bytes) === 0
  })
}

type EventContent = Extract<BodyContent, { events: unknown }>

const noSideFiles: SideFiles = new Map()

/** The forms of a text, the most readable first. Lazy: a later one is made only if an earlier one failed its proof. */
function* textForms(text: string, body: RecordedBody, contentType: string | undefined): Generator<BodyContent> {
  const bytes = Buffer.byteLength(text)
  const framing = framingOf(text, contentType)
  const stream = framing === undefined ? undefined : eventStream(text, framing)
  const array = arrayStream(text, contentType)
  // Cut where its elements end, it was a stream of them.
  const isArrayStream = array !== undefined && body.chunks.length > 1 && !isCutInside(array, body)
  const known = stream ?? (isArrayStream ? array : undefined)
  const asEvents = known === undefined ? [] : [() => known, () => withJoinedRaw(known)]
  if (known !== undefined || framing !== undefined) {
    const others = [() => jsonForm(text), () => storeText(text), () => ({ text })]
    return yield* boundedForms([...asEvents, ...others], bytes)
  }
  const value = jsonForm(text)
  if (value !== undefined) yield value
  if (array !== undefined) yield* boundedForms([() => array], bytes)
  yield storeText(text)
}

/** F9: no form of a stream takes more than its bytes and a kilobyte; where none keeps to that, it is stored as bytes. */
function* boundedForms(makers: readonly (() => BodyContent | undefined)[], bytes: number): Generator<BodyContent> {
  for (const make of makers) {
    const content = make()
    if (content !== undefined && isWithinBound(content, bytes)) yield content
  }
}

function eventStream(text: string, framing: 'sse' | 'ndjson'): EventContent | undefined {
  const stream = parseEvents(text, framing)
  const isStream = stream.events.some((event) => !('raw' in event)) || isTerminated(text)
  return isStream && stream.events.length <= maxEvents ? stream : undefined
}

function jsonForm(text: string): BodyContent | undefined {
  const value = parseStorable(text)
  const layout = value === undefined ? undefined : findLayout(text, value)
  if (value === undefined || layout === undefined) return undefined
  return Object.keys(layout).length === 0 ? { json: value } : { json: value, layout }
}

/** Verbatim events in a row as one: a thousand comments that keep a connection alive need no thousand lines. */
function withJoinedRaw(stream: EventContent): EventContent {
  const events: StreamEvent[] = []
  for (const event of stream.events) {
    const last = events.at(-1)
    if (last !== undefined && 'raw' in last && 'raw' in event) events[events.length - 1] = { raw: last.raw + event.raw }
    else events.push(event)
  }
  return { ...stream, events }
}

/** A JSON array that was streamed, element by element: Gemini does so where it is not asked for events. */
function arrayStream(text: string, contentType: string | undefined): EventContent | undefined {
  if (mediaKindOf(contentType) !== 'json' || !/^\[\s*\{/.test(text)) return undefined
  const stream = parseEvents(text, 'json-array')
  return stream.events.length <= maxEvents && stream.events.some((event) => 'data' in event) ? stream : undefined
}

function framingOf(text: string, contentType: string | undefined): 'sse' | 'ndjson' | undefined {
  switch (mediaKindOf(contentType)) {
    case 'sse':
      return 'sse'
    case 'ndjson':
      return 'ndjson'
    case 'json':
    case 'form':
    case 'multipart':
      return undefined
    case 'other':
      // Some gateways stream events as plain text.
      return /^(?:event|data): /.test(text) ? 'sse' : undefined
  }
}

/** True where at least one event of a stream was ended by an empty line. */
function isTerminated(text: string): boolean {
  return /\n\r?\n|\r\r/.test(text)
}

function withChunks(content: BodyContent, body: RecordedBody): ResponseBody {
  const gapsMs = body.chunks.map((chunk) => chunk.gapMs)
  const cuts = cutsOf(content, body)
  return {
    ...content,
    ...(cuts !== undefined && { cuts }),
    ...(gapsMs.some((gapMs) => gapMs !== 0) && { gapsMs }),
    ...(body.end.kind !== 'complete' && { end: body.end }),
  }
}

/** Undefined where the cuts are what the form says without any: one chunk, or one chunk an event. */
function cutsOf(content: BodyContent, { chunks }: RecordedBody): Cuts | undefined {
  const lengths = chunks.map((chunk) => chunk.bytes.byteLength)
  if (!('events' in content)) return lengths.length === 1 ? undefined : { bytes: lengths }
  const sizes = content.events.map((event, index) => Buffer.byteLength(renderEvent(event, content, index)))
  const counts = eventCounts(lengths, sizes)
  if (counts === undefined) return { bytes: lengths }
  return counts.length === sizes.length && counts.every((count) => count === 1) ? undefined : { events: counts }
}

function isCutInside(content: BodyContent, body: RecordedBody): boolean {
  const cuts = cutsOf(content, body)
  return cuts !== undefined && 'bytes' in cuts
}

/** How many events each chunk holds; undefined where a chunk ends inside an event. */
function eventCounts(lengths: readonly number[], sizes: readonly number[]): readonly number[] | undefined {
  const counts: number[] = []
  let next = 0
  for (const length of lengths) {
    let count = 0
    let rest = length
    while (rest > 0 && next < sizes.length) {
      rest -= sizes[next] as number
      next += 1
      count += 1
    }
    if (rest !== 0) return undefined
    counts.push(count)
  }
  return counts
}

function encodeBinary(body: RecordedBody, bytes: Uint8Array, contentType: string | undefined): EncodedBody {
  if (bytes.byteLength <= maxInlineBytes) {
    return { stored: withChunks({ base64: Buffer.from(bytes).toString('base64') }, body) }
  }
  const sha256 = contentHash(bytes)
  const name = `${sha256}.${sideFileExtension(contentType)}`
  return { stored: withChunks({ file: name, sha256, bytes: bytes.byteLength }, body), sideFile: { name, bytes } }
}

function joinChunks({ chunks }: RecordedBody): Uint8Array {
  return new Uint8Array(Buffer.concat(chunks.map((chunk) => chunk.bytes)))
}
