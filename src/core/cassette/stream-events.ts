/** Streams as events and events as the very text they were (F8, F9): server-sent events, and one JSON value a line. */
import type { Json, JsonLayout, StreamEvent } from './document.ts'
import { findLayout, renderJson } from './json-layout.ts'
import { parseJson, unstorableReason } from './json-text.ts'

export type Framing = 'sse' | 'ndjson'

export interface StreamText {
  readonly events: readonly StreamEvent[]
  readonly layout?: JsonLayout
}

/** The events of a stream's text. Whatever is not framed in the usual way stays verbatim, as `raw`. */
export function parseEvents(text: string, framing: Framing): StreamText {
  const frames = splitFrames(text, framing).map((frame) => readFrame(frame, framing))
  const layout = commonLayout(frames)
  const events = frames.map((frame) => storeFrame(frame, layout))
  return isCompact(layout) ? { events } : { events, layout }
}

/** The text of one event; joined, the texts of all events are the stream. */
export function renderEvent(event: StreamEvent, framing: Framing, layout: JsonLayout | undefined): string {
  if ('raw' in event) return event.raw
  const payload = 'text' in event ? event.text : renderJson(event.data, layout)
  if (framing === 'ndjson') return `${payload}\n`
  const head = `${event.event === undefined ? '' : `event: ${event.event}\n`}${event.id === undefined ? '' : `id: ${event.id}\n`}`
  return `${head}data: ${payload.replaceAll('\n', '\ndata: ')}\n\n`
}

interface Frame {
  readonly raw: string
  /** Absent: the frame is not written the usual way. */
  readonly fields?: FrameFields
  /** Absent: the payload is not JSON that may be stored as a value, or no layout rebuilds it. */
  readonly json?: { readonly value: Json; readonly layout: JsonLayout }
}

interface FrameFields {
  readonly event?: string
  readonly id?: string
  readonly payload: string
}

// The end of an event: an empty line, whatever the line ends. A lone carriage return ends a line as well.
const emptyLine = /(?:\r\n|\n|\r(?!\n))(?:\r\n|\n|\r(?!\n))/g

function splitFrames(text: string, framing: Framing): readonly string[] {
  if (framing === 'ndjson') return text.match(/[^\n]*\n|[^\n]+$/g) ?? []
  const frames: string[] = []
  let start = 0
  for (const match of text.matchAll(emptyLine)) {
    const end = match.index + match[0].length
    frames.push(text.slice(start, end))
    start = end
  }
  if (start < text.length) frames.push(text.slice(start))
  return frames
}

function readFrame(raw: string, framing: Framing): Frame {
  const fields = framing === 'sse' ? sseFields(raw) : lineFields(raw)
  if (fields === undefined) return { raw }
  // A payload of several lines stays text: an indented layout would unfold a small file to a large stream.
  const value = fields.payload.includes('\n') ? undefined : parseJson(fields.payload)
  if (value === undefined || unstorableReason(value) !== undefined) return { raw, fields }
  const layout = findLayout(fields.payload, value)
  return layout === undefined ? { raw, fields } : { raw, fields, json: { value, layout } }
}

/** `event`, then `id`, then `data` lines, each with one blank, line feeds only: the form that `renderEvent` writes. */
function sseFields(raw: string): FrameFields | undefined {
  const match = /^(?:event: ([^\r\n]*)\n)?(?:id: ([^\r\n]*)\n)?((?:data: [^\r\n]*\n)+)\n$/.exec(raw)
  if (match === null) return undefined
  const [, event, id, data = ''] = match
  const payload = data.slice('data: '.length, -1).replaceAll('\ndata: ', '\n')
  return { ...(event !== undefined && { event }), ...(id !== undefined && { id }), payload }
}

function lineFields(raw: string): FrameFields | undefined {
  return /^[^\r\n]+\n$/.test(raw) ? { payload: raw.slice(0, -1) } : undefined
}

/** The layout that most JSON events share; scalars, which fit any, have the compact one. */
function commonLayout(frames: readonly Frame[]): JsonLayout {
  const counts = new Map<string, { readonly layout: JsonLayout; count: number }>()
  let common: { readonly layout: JsonLayout; count: number } = { layout: {}, count: 0 }
  for (const { json } of frames) {
    if (json === undefined || typeof json.value !== 'object') continue
    const key = JSON.stringify(json.layout)
    const entry = counts.get(key) ?? { layout: json.layout, count: 0 }
    entry.count += 1
    counts.set(key, entry)
    if (entry.count > common.count) common = entry
  }
  return common.layout
}

function storeFrame({ raw, fields, json }: Frame, layout: JsonLayout): StreamEvent {
  if (fields === undefined) return { raw }
  const { payload, ...head } = fields
  if (json !== undefined && renderJson(json.value, layout) === payload) return { ...head, data: json.value }
  return { ...head, text: payload }
}

function isCompact(layout: JsonLayout): boolean {
  return Object.keys(layout).length === 0
}
