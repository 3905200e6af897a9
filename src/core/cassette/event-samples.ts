/**
 * The events of a stream as kinds, for who counts: of a run whose events differ in nothing he looks at, one stands for all. So a
 * stream that was read from a file is unfolded only where it has to be (F9).
 */
import type { ResponseBody, StreamEvent } from './document.ts'
import { unpackRun } from './event-runs.ts'
import { packedOf, takesFromElsewhere } from './event-texts.ts'
import { pointerPath } from './json-pointer.ts'
import { isRun } from './pack-events.ts'
import type { Column, EventRun, PackedEvent } from './packed-document.ts'

export interface EventSample {
  readonly event: StreamEvent
  /** How many events of the stream it stands for. */
  readonly times: number
}

/** Whether a reader may tell two events apart by a member of that name, when its values are these. */
export type TellsApart = (name: string, column: Column) => boolean

/** In no order. Of a sample of many, members that do not tell events apart have a value of the right type, which is nobody's. */
export function eventSamples(
  body: Extract<ResponseBody, { events: unknown }>,
  tellsApart: TellsApart,
): readonly EventSample[] {
  const packed = packedOf(body)
  if (packed === undefined || packed.events.some(takesFromElsewhere)) return body.events.map(once)
  const samplesOf = (item: PackedEvent): readonly EventSample[] => {
    if (!isRun(item)) return [once(item)]
    const between = (item.between ?? []).flatMap(([, other]) => samplesOf(other))
    const own = isOneKind(item, tellsApart)
      ? [{ event: item as unknown as StreamEvent, times: item.run }]
      : unpackRun(item, packed.layout).map(once)
    return [...own, ...between]
  }
  return packed.events.flatMap(samplesOf)
}

function isOneKind({ columns }: EventRun, tellsApart: TellsApart): boolean {
  return Object.entries(columns).every(([pointer, column]) => !tellsApart(pointerPath(pointer)?.at(-1) ?? '', column))
}

/** True for a column of texts alone, whose pattern is a text, too. */
export function isTextColumn(column: Column): boolean {
  if ('grows' in column) return true
  const values = 'each' in column ? column.each : column
  return Array.isArray(values) && values.every((value) => typeof value === 'string')
}

function once(event: StreamEvent): EventSample {
  return { event, times: 1 }
}
