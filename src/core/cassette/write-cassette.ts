/**
 * The text of a cassette (F1, F2): packed, and then laid out, a pure function of its content with a fixed key order. Knows
 * which members are blocks of lines and which stand on one line; how free JSON is laid out is `json-lines.ts`.
 */
import type { Cassette, Json, MultipartPart } from './document.ts'
import { layArray, quoteJson } from './json-lines.ts'
import { block, laid, type Member, pick } from './lay-block.ts'
import { packCassette } from './pack-cassette.ts'
import type {
  PackedHttpInteraction,
  PackedInteraction,
  PackedRequest,
  PackedValueInteraction,
  WholeRequest,
} from './packed-document.ts'
import { layLines, layResponseBody, orderFailure } from './write-body.ts'

/** UTF-8 text with LF and a final newline. Reading it and writing again gives the same text. */
export function writeCassette(cassette: Cassette): string {
  return `${block('', [
    ['format', cassette.format],
    ['test', cassette.test],
    ['provenance', pick(cassette.provenance, ['kind', 'from', 'reason'])],
    ['recordedAt', cassette.recordedAt],
    ['recordedWith', sorted(cassette.recordedWith)],
    ['interactions', laid(layArray(packCassette(cassette).interactions.map(layInteraction), '  '))],
  ])}\n`
}

function layInteraction(interaction: PackedInteraction): string {
  const margin = '    '
  return block(margin, [
    ['number', interaction.number],
    ['kind', interaction.kind],
    ['lane', interaction.lane],
    ['overlaps', interaction.overlaps],
    ['optional', interaction.optional],
    ['fold', 'fold' in interaction ? interaction.fold : undefined],
    ['unverifiable', interaction.unverifiable],
    ['substituted', interaction.substituted],
    ['incomplete', interaction.incomplete],
    ['hash', interaction.hash],
    ...exchangeMembers(interaction),
    ['timing', pick(interaction.timing, ['startMs', 'headMs'])],
  ])
}

function exchangeMembers(interaction: PackedInteraction): readonly Member[] {
  if ('result' in interaction) {
    return [
      ['callId', interaction.callId],
      [
        'request',
        laid(
          block('      ', [
            ['name', interaction.request.name],
            ['input', interaction.request.input],
            ['same', interaction.request.same],
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

function layRequest(request: PackedRequest): string {
  const margin = '      '
  const head: readonly Member[] = [
    ['method', request.method],
    ['url', request.url],
    ['headers', request.headers && sorted(request.headers)],
  ]
  if (!('like' in request))
    return block(margin, [...head, ['body', request.body && laid(layRequestBody(request.body))]])
  return block(margin, [
    ['like', request.like],
    ...head,
    ['edits', request.edits?.map((edit) => pick(edit, ['at', 'from', 'remove', 'append', 'insert', 'set', 'unset']))],
    ['same', request.same],
  ])
}

function layRequestBody(body: NonNullable<WholeRequest['body']>): string {
  const margin = '        '
  if ('lines' in body) return block(margin, [['lines', laid(layLines(body.lines))]])
  if ('parts' in body) return block(margin, [['parts', body.parts.map(orderPart)]])
  const members = ['json', 'same', 'text', 'sha256', 'bytes']
  return block(margin, Object.entries(pick(body, members)))
}

function layResponse(response: NonNullable<PackedHttpInteraction['response']>): string {
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

function layResult(result: PackedValueInteraction['result']): string {
  return block('      ', resultMembers(result))
}

function resultMembers(result: PackedValueInteraction['result']): readonly Member[] {
  if ('elements' in result) {
    const elements = laid(layArray(result.elements.map(quoteJson), '        '))
    return [
      ['elements', elements],
      ['gapsMs', result.gapsMs],
      ['error', result.error && orderFailure(result.error)],
    ]
  }
  const sync: Member = ['sync', result.sync]
  if ('value' in result) return [['value', result.value], ['same', 'same' in result ? result.same : undefined], sync]
  if ('undefined' in result) return [['undefined', true], sync]
  return [['error', orderFailure(result.error)], sync]
}

function orderPart(part: MultipartPart): Json {
  return pick(part, ['name', 'filename', 'type', 'text', 'sha256', 'bytes'])
}

/** Free names in the order of their code units: they come from maps that nobody ordered. */
function sorted(members: Readonly<Record<string, string>>): Json {
  return Object.fromEntries(Object.entries(members).sort(([one], [other]) => (one < other ? -1 : 1)))
}
