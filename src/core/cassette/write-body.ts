/** The lines of a response body (F1): content, then how it was cut and how it ended. */
import type { BodyEnd, Failure, Json } from './document.ts'
import { orderLayout } from './json-layout.ts'
import { layArray, layColumn, layObject, quoteJson } from './json-lines.ts'
import { block, laid, type Member, pick } from './lay-block.ts'
import { isRun, isRunBetween } from './pack-events.ts'
import type { Between, EventRun, PackedBody, PackedEvent, SingleEvent } from './packed-document.ts'

export function layResponseBody(body: PackedBody): string {
  return block('        ', [
    ...contentMembers(body),
    ['cuts', body.cuts],
    ['gapsMs', body.gapsMs],
    ['end', body.end && orderEnd(body.end)],
  ])
}

function contentMembers(body: PackedBody): readonly Member[] {
  if ('events' in body) {
    return [
      ['framing', body.framing],
      ['lineEnd', body.lineEnd],
      ['fieldBlank', body.fieldBlank],
      ['fieldOrder', body.fieldOrder],
      ['between', body.between],
      ['layout', body.layout && orderedLayout(body.layout)],
      ['events', laid(layArray(body.events.map(layEvent), '          '))],
    ]
  }
  if ('json' in body)
    return [
      ['json', body.json],
      ['same', 'same' in body ? body.same : undefined],
      ['layout', body.layout && orderedLayout(body.layout)],
    ]
  if ('lines' in body) return [['lines', laid(layLines(body.lines))]]
  if ('text' in body) return [['text', body.text]]
  if ('base64' in body) return [['base64', body.base64]]
  return [
    ['file', body.file],
    ['sha256', body.sha256],
    ['bytes', body.bytes],
  ]
}

export function layLines(lines: readonly string[]): string {
  return layArray(lines.map(quoteJson), '          ')
}

/** One event a line, whatever its length: a changed delta is one changed line. A run is a block of lines. */
function layEvent(event: PackedEvent): string {
  if (!isRun(event)) return quoteJson(orderEvent(event))
  return layRun(event, '            ')
}

function layRun(run: EventRun, margin: string): string {
  const inner = `${margin}  `
  const columns = Object.entries(run.columns).map(
    ([pointer, column]) => [pointer, layColumn(column, `${inner}  `)] as const,
  )
  return block(margin, [
    ['run', run.run],
    ...patternMembers(run),
    ['columns', laid(layObject(columns, inner))],
    [
      'between',
      run.between &&
        laid(
          layArray(
            run.between.map((item) => layBetween(item, `${inner}  `)),
            inner,
          ),
        ),
    ],
  ])
}

function patternMembers(run: EventRun): readonly Member[] {
  const names = ['event', 'id', 'data', 'text', 'layout'] as const
  return names.map((name): Member => {
    const value = name === 'layout' ? run.layout && orderedLayout(run.layout) : run[name]
    return [name, value === undefined ? undefined : laid(quoteJson(value))]
  })
}

function layBetween(item: Between, margin: string): string {
  if (isRunBetween(item)) return `[${layColumn(item[0], margin)}, ${layRun(item[1], margin)}]`
  return `[${item[0]}, ${quoteJson(orderEvent(item[1]))}]`
}

export function orderFailure(failure: Failure): Json {
  const { cause, ...own } = failure
  const ordered = pick(own, ['stage', 'name', 'message', 'code', 'details'])
  return cause === undefined ? ordered : { ...ordered, cause: orderFailure(cause) }
}

function orderEnd(end: BodyEnd): Json {
  return end.kind === 'failed' ? { kind: end.kind, failure: orderFailure(end.failure) } : end
}

function orderEvent(event: SingleEvent): Json {
  return pick(event, ['event', 'id', 'data', 'text', 'raw', 'layout', 'same'])
}

function orderedLayout(layout: object): Json {
  return orderLayout(layout) as Json
}
