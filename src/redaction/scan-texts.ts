import type { Cassette, Interaction, Json, ResponseBody } from '../core/cassette/document.ts'
import { joinedChannels } from './joined-channels.ts'
import { joinPlaces } from './scan-joins.ts'
import { placeOf } from './scan-place.ts'
import { type Step, walkValues } from './walk-values.ts'

/** A text of the cassette, and what to call its place. */
export interface PlacedText {
  readonly text: string
  readonly place: () => string
  /** JSON pointer in the document; absent of texts that are joined from several, and of side files. */
  readonly pointer?: string
  /** Of a string that is a member of an object: its name. */
  readonly name?: string
  /** `joined`: pieces of one place, whatever tells them apart, so that short words in it mean nothing. */
  readonly form: 'text' | 'joined'
}

/** Every string of the document, member names included, and every text that a reader would join from several. */
export function cassetteTexts(cassette: Cassette): PlacedText[] {
  const texts = stringsOf(cassette)
  cassette.interactions.forEach((interaction, index) => {
    const at = (part: string): string => placeOf(cassette, `/interactions/${index}${part}`)
    const joined = joinedTexts(interaction)
    const known = new Set(joined.map(({ text }) => text))
    for (const { text, at: part, channel } of joined) {
      texts.push({ text, place: () => at(part) + joinedAt(channel), form: 'text' })
    }
    for (const { part, values } of valuesOf(interaction)) {
      for (const { shape, text } of joinPlaces(values)) {
        if (!known.has(text)) texts.push({ text, place: () => at(part) + joinedAt(shape), form: 'joined' })
      }
    }
  })
  return texts
}

function stringsOf(cassette: Cassette): PlacedText[] {
  const texts: PlacedText[] = []
  walkValues(cassette, {
    string(text, path) {
      const pointer = pointerOf(path)
      const name = path.at(-1)
      const place = (): string => placeOf(cassette, pointer)
      texts.push({ text, place, pointer, ...(typeof name === 'string' && { name }), form: 'text' })
    },
    object(value, path) {
      if (!Array.isArray(value)) for (const named of namesOf(cassette, Object.keys(value), path)) texts.push(named)
      return 'enter'
    },
  })
  return texts
}

function pointerOf(path: readonly Step[]): string {
  return path.length === 0 ? '' : `/${path.join('/')}`
}

/** Short names cannot hold what the scan looks for, and are most of a document. */
const minNameLength = 4

function namesOf(cassette: Cassette, names: readonly string[], path: readonly Step[]): PlacedText[] {
  const long = names.filter((name) => name.length >= minNameLength)
  if (long.length === 0) return []
  const pointer = pointerOf(path)
  return long.map((text) => ({ text, place: () => `${placeOf(cassette, pointer)}, a member name`, form: 'text' }))
}

/** The free JSON of an interaction: what its values and events are. */
function valuesOf(interaction: Interaction): { readonly part: string; readonly values: readonly Json[] }[] {
  if ('result' in interaction) {
    const { request, result } = interaction
    const values = 'elements' in result ? result.elements : 'value' in result ? [result.value] : []
    return [
      { part: '/request/input', values: [request.input] },
      { part: '/result', values },
    ]
  }
  const { request, response } = interaction
  const sent = request.body && 'json' in request.body ? [request.body.json] : []
  return [
    { part: '/request/body', values: sent },
    { part: '/response/body', values: response?.body === undefined ? [] : valuesOfBody(response.body) },
  ]
}

function valuesOfBody(body: ResponseBody): readonly Json[] {
  if ('json' in body) return [body.json]
  return 'events' in body ? body.events.flatMap((event) => ('data' in event ? [event.data] : [])) : []
}

interface JoinedText {
  readonly text: string
  /** Pointer from the interaction. */
  readonly at: string
  /** Pointer inside the events that were joined; undefined for lines. */
  readonly channel: string | undefined
}

function joinedAt(channel: string | undefined): string {
  return channel === undefined ? '' : `, joined ${channel}`
}

function joinedTexts(interaction: Interaction): JoinedText[] {
  if (!('result' in interaction)) {
    const { request, response } = interaction
    const sent = request.body && 'lines' in request.body ? [lines('/request/body', request.body.lines)] : []
    return response?.body === undefined ? sent : [...sent, ...bodyTexts(response.body)]
  }
  if (!('elements' in interaction.result)) return []
  return channels('/result', interaction.result.elements)
}

function bodyTexts(body: ResponseBody): JoinedText[] {
  const at = '/response/body'
  if ('events' in body) {
    const values = body.events.map((event) => ('data' in event ? event.data : 'text' in event ? event.text : event.raw))
    return channels(at, values)
  }
  if ('lines' in body) return [lines(at, body.lines), ...streamTexts(at, body.lines.join('\n'))]
  if ('text' in body) return streamTexts(at, body.text)
  return 'json' in body && Array.isArray(body.json) ? channels(at, body.json) : []
}

function lines(at: string, parts: readonly string[]): JoinedText {
  return { text: parts.join('\n'), at, channel: undefined }
}

/** Each value as one line of JSON; what is no object is wrapped, so that plain strings are a channel too. */
function channels(at: string, values: readonly Json[]): JoinedText[] {
  const documents = values.filter(mayHoldText).map((value) => JSON.stringify(isObject(value) ? value : { '': value }))
  return streamTexts(at, documents.join('\n'))
}

/** Of a body that is one array there may be millions of others. */
function mayHoldText(value: Json): boolean {
  if (typeof value === 'string') return value !== ''
  return typeof value === 'object' && value !== null && Object.keys(value).length > 0
}

function isObject(value: Json): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function streamTexts(at: string, text: string): JoinedText[] {
  return joinedChannels(text).map((channel) => ({ text: channel.text, at, channel: channel.pointer }))
}
