/** Streams as events and events as the very text they were (F8, F9): server-sent events, a JSON value a line, a JSON array. */
import type { EventFrame, Json, JsonLayout, StreamEvent } from './document.ts'
import { findLayout } from './find-layout.ts'
import { renderJson } from './json-layout.ts'
import { parseStorable } from './json-text.ts'
import { detectFrame, type Framing, splitFrames } from './stream-frames.ts'

/** What the events of a stream have in common. */
export type EventStream = EventFrame & { readonly layout?: JsonLayout }

/** The events of a stream's text. Whatever is not framed in the usual way stays verbatim, as `raw`. */
export function parseEvents(text: string, framing: Framing): EventStream & { readonly events: readonly StreamEvent[] } {
  const frame = detectFrame(text, framing)
  const reader = frameReader(frame)
  const frames = splitFrames(text, framing).map((raw, index) => readFrame({ raw, fields: reader(raw, index), framing }))
  const layout = commonLayout(frames)
  const events = frames.map((read) => storeFrame(read, layout))
  return isCompact(layout) ? { ...frame, events } : { ...frame, layout, events }
}

/** The text of the event at this place (from 0); joined, the texts of all events are the stream. */
export function renderEvent(event: StreamEvent, stream: EventStream, index: number): string {
  if ('raw' in event) return event.raw
  const payload = 'text' in event ? event.text : renderJson(event.data, event.layout ?? stream.layout)
  const end = stream.lineEnd ?? '\n'
  switch (stream.framing) {
    case 'ndjson':
      return payload + end
    case 'json-array':
      return (index === 0 ? '[' : (stream.between ?? ',')) + payload
    case 'sse':
      return renderFields({ ...event, payload, end, blank: stream.fieldBlank ?? ' ', order: stream.fieldOrder })
  }
}

interface RenderedFields extends FrameFields {
  readonly end: string
  readonly blank: string
  readonly order: EventFrame['fieldOrder'] | undefined
}

function renderFields({ event, id, payload, end, blank, order }: RenderedFields): string {
  const named = event === undefined ? '' : `event:${blank}${event}${end}`
  const head = id === undefined ? named : `${named}id:${blank}${id}${end}`
  const lines = payload.includes('\n') ? payload.replaceAll('\n', `${end}data:${blank}`) : payload
  const data = `data:${blank}${lines}${end}`
  return (order === 'data first' ? data + head : head + data) + end
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

type FrameReader = (raw: string, index: number) => FrameFields | undefined

/** Reads exactly what `renderEvent` writes. */
function frameReader(frame: EventFrame): FrameReader {
  const lineEnd: string = frame.lineEnd ?? '\n'
  const between = frame.between ?? ','
  switch (frame.framing) {
    case 'ndjson': {
      const line = new RegExp(`^[^\\r\\n]+${lineEnd}$`)
      return (raw) => (line.test(raw) ? { payload: raw.slice(0, -lineEnd.length) } : undefined)
    }
    case 'json-array':
      return (raw, index) => {
        const before = index === 0 ? '[' : between
        return raw.startsWith(`${before}{`) ? { payload: raw.slice(before.length) } : undefined
      }
    case 'sse':
      return sseReader(frame, lineEnd)
  }
}

/** `event`, then `id`, then `data` lines; or the `data` lines first. */
function sseReader(frame: EventFrame, end: string): FrameReader {
  const blank: string = frame.fieldBlank ?? ' '
  const line = `[^\\r\\n]*${end}`
  const field = { event: `event:${blank}`, id: `id:${blank}`, data: `data:${blank}` }
  const head = `(?<event>${field.event}${line})?(?<id>${field.id}${line})?`
  const data = `(?<data>(?:${field.data}${line})+)`
  const pattern = new RegExp(`^${frame.fieldOrder === 'data first' ? data + head : head + data}${end}$`)
  return (raw) => {
    const found = pattern.exec(raw)?.groups
    if (found?.data === undefined) return undefined
    const payload = found.data.slice(field.data.length, -end.length).replaceAll(`${end}${field.data}`, '\n')
    return {
      ...(found.event !== undefined && { event: found.event.slice(field.event.length, -end.length) }),
      ...(found.id !== undefined && { id: found.id.slice(field.id.length, -end.length) }),
      payload,
    }
  }
}

function readFrame({
  raw,
  fields,
  framing,
}: {
  raw: string
  fields: FrameFields | undefined
  framing: Framing
}): Frame {
  if (fields === undefined) return { raw }
  // A server-sent payload of several lines stays text: it is never JSON that a line-wise reader would have to join.
  if (framing === 'sse' && fields.payload.includes('\n')) return { raw, fields }
  const value = parseStorable(fields.payload)
  if (value === undefined) return { raw, fields }
  const layout = findLayout(fields.payload, value)
  return layout === undefined ? { raw, fields } : { raw, fields, json: { value, layout } }
}

/** The layout under which most of the JSON events come out as they were; on a tie, the one seen first. */
function commonLayout(frames: readonly Frame[]): JsonLayout {
  const layouts = new Map<string, { readonly layout: JsonLayout; count: number }>()
  for (const { json } of frames) {
    if (json === undefined || typeof json.value !== 'object') continue
    // What is an event's own is no candidate.
    const { pad: _pad, numbers: _numbers, ...layout } = json.layout
    const key = JSON.stringify(layout)
    const seen = layouts.get(key) ?? { layout, count: 0 }
    seen.count += 1
    layouts.set(key, seen)
  }
  if (layouts.size < 2) return [...layouts.values()][0]?.layout ?? {}
  const likely = [...layouts.values()].sort((one, other) => other.count - one.count).slice(0, maxCandidates)
  const fits = likely.map(({ layout }) => frames.filter((frame) => fitsLayout(frame, withOwn(layout, frame))).length)
  return likely[fits.indexOf(Math.max(...fits))]?.layout ?? {}
}

const maxCandidates = 4

function fitsLayout({ fields, json }: Frame, layout: JsonLayout): boolean {
  return json !== undefined && renderJson(json.value, layout) === fields?.payload
}

/** A pad and odd numbers are an event's own under any layout. */
function withOwn(layout: JsonLayout, { json }: Frame): JsonLayout {
  const { pad, numbers } = json?.layout ?? {}
  return { ...layout, ...(pad !== undefined && { pad }), ...(numbers !== undefined && { numbers }) }
}

function storeFrame(frame: Frame, layout: JsonLayout): StreamEvent {
  const { raw, fields, json } = frame
  if (fields === undefined) return { raw }
  const { payload, ...head } = fields
  if (json === undefined) return { ...head, text: payload }
  if (fitsLayout(frame, layout)) return { ...head, data: json.value }
  return { ...head, data: json.value, layout: json.layout }
}

function isCompact(layout: JsonLayout): boolean {
  return Object.keys(layout).length === 0
}
