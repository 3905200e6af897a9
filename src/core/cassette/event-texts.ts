/**
 * The texts of a stream's events straight from what stands in the file (F9): a run as a table, where it is one. What cannot be told
 * so is unpacked and rendered, one run at a time.
 */
import type { ResponseBody } from './document.ts'
import { type EventTable, eventTable, type FramedStream, tablePieces, tableTexts } from './event-table.ts'
import { isAlternating, isRun, unpackEvents } from './pack-events.ts'
import type { EventRun, PackedEvent, SingleBetween } from './packed-document.ts'
import { renderEvent } from './stream-events.ts'

type PackedStream = FramedStream & { readonly events: readonly PackedEvent[] }

const packedStreams = new WeakMap<object, PackedStream>()

/** Keeps in mind how a body stands in the file. */
export function keepPacked(body: object, packed: PackedStream): void {
  packedStreams.set(body, packed)
}

/** How a body that was read from a file stands there. */
export function packedOf(body: object): PackedStream | undefined {
  return packedStreams.get(body)
}

/** The texts of all events of a body that was read from a file; undefined where they are to be made of the events. */
export function packedTexts(body: ResponseBody): readonly string[] | undefined {
  return textsBy(tableTexts, body)
}

/** Pieces that joined are all these texts. */
export function packedPieces(body: ResponseBody): readonly string[] | undefined {
  return textsBy(tablePieces, body)
}

/** Undefined where only the events can tell: of elements that stand in an array, and of values that stand elsewhere in the file. */
function textsBy(write: (table: EventTable) => readonly string[], body: ResponseBody): readonly string[] | undefined {
  const packed = packedOf(body)
  if (packed === undefined || packed.framing === 'json-array' || packed.events.some(takesFromElsewhere))
    return undefined
  return packed.events.flatMap((item) => {
    const table = isRun(item) && !isAlternating(item) ? eventTable(item, packed) : undefined
    if (table === undefined) return unpackEvents([item], packed.layout).map((event) => renderEvent(event, packed, 0))
    const { between } = item as EventRun
    return between === undefined ? write(table) : withBetween(tableTexts(table), between as SingleBetween[], packed)
  })
}

/** Its values are not all here: some stand elsewhere in the file. */
export function takesFromElsewhere(item: PackedEvent): boolean {
  return isRun(item) ? (item.between ?? []).some(([, other]) => 'same' in other) : 'same' in item
}

function withBetween(
  texts: readonly string[],
  between: readonly SingleBetween[],
  stream: PackedStream,
): readonly string[] {
  const all: string[] = []
  let start = 0
  for (const [after, event] of between) {
    for (; start < after; start += 1) all.push(texts[start] as string)
    all.push(renderEvent(event, stream, 0))
  }
  return [...all, ...texts.slice(start)]
}
