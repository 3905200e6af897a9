/**
 * The text of a cassette (F1, F2): a pure function of its content with a fixed key order. Knows which members are
 * blocks of lines and which stand on one line; how free JSON is laid out is `json-lines.ts`.
 */
import type {
  BodyEnd,
  Cassette,
  Failure,
  HttpRequest,
  HttpResponse,
  Interaction,
  Json,
  MultipartPart,
  RequestBody,
  ResponseBody,
  StreamEvent,
  ValueResult,
} from './document.ts'
import { layArray, layJson, layObject, quoteJson } from './json-lines.ts'

/** UTF-8 text with LF and a final newline. Reading it and writing again gives the same text. */
export function writeCassette(cassette: Cassette): string {
  return `${block('', [
    ['format', cassette.format],
    ['test', cassette.test],
    ['provenance', pick(cassette.provenance, ['kind', 'from', 'reason'])],
    ['recordedAt', cassette.recordedAt],
    ['recordedWith', sorted(cassette.recordedWith)],
    ['interactions', laid(layArray(cassette.interactions.map(layInteraction), '  '))],
  ])}\n`
}

/** Text that is laid out already; any other member is a value that is still to be. */
class Laid {
  readonly text: string
  constructor(text: string) {
    this.text = text
  }
}

type Member = readonly [name: string, value: Json | Laid | undefined]

function laid(text: string): Laid {
  return new Laid(text)
}

/** An object with a member a line, in this order; members that are undefined are left out. */
function block(margin: string, members: readonly Member[]): string {
  const inner = `${margin}  `
  const texts = members.flatMap(([name, value]) => {
    if (value === undefined) return []
    const text = value instanceof Laid ? value.text : layJson(value, { margin: inner, taken: name.length + 4 })
    return [[name, text] as const]
  })
  return layObject(texts, margin)
}

function layInteraction(interaction: Interaction): string {
  const margin = '    '
  return block(margin, [
    ['number', interaction.number],
    ['kind', interaction.kind],
    ['lane', interaction.lane],
    ['overlaps', interaction.overlaps],
    ['optional', interaction.optional],
    ['hash', interaction.hash],
    ...exchangeMembers(interaction),
    ['timing', pick(interaction.timing, ['startMs', 'headMs'])],
  ])
}

function exchangeMembers(interaction: Interaction): readonly Member[] {
  if ('result' in interaction) {
    return [
      [
        'request',
        laid(
          block('      ', [
            ['name', interaction.request.name],
            ['input', interaction.request.input],
          ]),
        ),
      ],
      ['result', laid(layResult(interaction.result))],
    ]
  }
  const { request, response, failure } = interaction
  return [
    ['request', laid(layRequest(request))],
    ['response', response && laid(layResponse(response))],
    ['failure', failure && orderFailure(failure)],
  ]
}

function layRequest(request: HttpRequest): string {
  return block('      ', [
    ['method', request.method],
    ['url', request.url],
    ['headers', request.headers && sorted(request.headers)],
    ['body', request.body && laid(layRequestBody(request.body))],
  ])
}

function layRequestBody(body: RequestBody): string {
  const margin = '        '
  if ('lines' in body) return block(margin, [['lines', laid(layLines(body.lines))]])
  if ('parts' in body) return block(margin, [['parts', body.parts.map(orderPart)]])
  return block(margin, Object.entries(body))
}

function layResponse(response: HttpResponse): string {
  const margin = '      '
  const headers = response.headers.map(([name, value]) => `[${quoteJson(name)}, ${quoteJson(value)}]`)
  return block(margin, [
    ['status', response.status],
    ['statusText', response.statusText],
    ['url', response.url],
    ['redirected', response.redirected],
    ['headers', laid(layArray(headers, `${margin}  `))],
    ['body', response.body && laid(layResponseBody(response.body))],
  ])
}

function layResponseBody(body: ResponseBody): string {
  return block('        ', [
    ...contentMembers(body),
    ['cuts', body.cuts],
    ['gapsMs', body.gapsMs],
    ['end', body.end && orderEnd(body.end)],
  ])
}

function contentMembers(body: ResponseBody): readonly Member[] {
  if ('events' in body) {
    // One event a line, whatever its length: a changed delta is one changed line.
    const events = laid(
      layArray(
        body.events.map((event) => quoteJson(orderEvent(event))),
        '          ',
      ),
    )
    return [
      ['framing', body.framing],
      ['layout', body.layout && orderLayout(body.layout)],
      ['events', events],
    ]
  }
  if ('json' in body)
    return [
      ['json', body.json],
      ['layout', body.layout && orderLayout(body.layout)],
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

function layLines(lines: readonly string[]): string {
  return layArray(lines.map(quoteJson), '          ')
}

function layResult(result: ValueResult): string {
  return block('      ', resultMembers(result))
}

function resultMembers(result: ValueResult): readonly Member[] {
  if ('elements' in result) {
    const elements = laid(layArray(result.elements.map(quoteJson), '        '))
    return [
      ['elements', elements],
      ['error', result.error && orderFailure(result.error)],
    ]
  }
  const sync: Member = ['sync', result.sync]
  if ('value' in result) return [['value', result.value], sync]
  if ('undefined' in result) return [['undefined', true], sync]
  return [['error', orderFailure(result.error)], sync]
}

function orderFailure(failure: Failure): Json {
  const { cause, ...own } = failure
  const ordered = pick(own, ['stage', 'name', 'message', 'code', 'details'])
  return cause === undefined ? ordered : { ...ordered, cause: orderFailure(cause) }
}

function orderEnd(end: BodyEnd): Json {
  return end.kind === 'failed' ? { kind: end.kind, failure: orderFailure(end.failure) } : end
}

function orderEvent(event: StreamEvent): Json {
  if ('raw' in event) return { raw: event.raw }
  const payload = 'text' in event ? { text: event.text } : { data: event.data }
  const { event: name, id } = event
  return { ...(name !== undefined && { event: name }), ...(id !== undefined && { id }), ...payload }
}

function orderLayout(layout: object): Json {
  return pick(layout, ['indent', 'comma', 'colon', 'escape', 'tail'])
}

function orderPart(part: MultipartPart): Json {
  return pick(part, ['name', 'filename', 'type', 'text', 'sha256', 'bytes'])
}

/** These members in this order, absent ones left out. */
function pick(value: object, names: readonly string[]): Readonly<Record<string, Json>> {
  const members = value as Readonly<Record<string, Json | undefined>>
  const entries = names.flatMap((name) => (members[name] === undefined ? [] : [[name, members[name] as Json] as const]))
  return Object.fromEntries(entries)
}

/** Free names in the order of their code units: they come from maps that nobody ordered. */
function sorted(members: Readonly<Record<string, string>>): Json {
  return Object.fromEntries(Object.entries(members).sort(([one], [other]) => (one < other ? -1 : 1)))
}
