/** Changes by structure: a value in a JSON text becomes another, goes, comes twice, or stands where another stood. */
import type { Json } from '../src/core/cassette/document.ts'
import { parseJson } from '../src/core/cassette/json-text.ts'
import type { Random } from './random.ts'

type Container = Json[] | Record<string, Json>

const oddValues: readonly Json[] = [
  ...[
    null,
    true,
    false,
    0,
    -1,
    1.5,
    2 ** 31,
    2 ** 53,
    -(2 ** 53),
    1e308,
    1e-7,
    '',
    '…',
    'x…y',
    '0 x 9',
    '0 x 999999999',
  ],
  ...[
    [],
    {},
    [[]],
    [{}],
    ['…'],
    { a: '…' },
    'request 1',
    'request 1 /',
    'response 1 event 1 /',
    'input 1',
    '/json',
    '/a/b',
  ],
  ...[
    '__proto__',
    'constructor',
    '\u0000',
    '\u001b]0;x\u0007',
    '\ud800',
    '\u202e',
    'turntape/2',
    'turntape/0',
    '1e999',
    '1.0',
  ],
]

/** The words of the format itself: a member of this name in a place where it does not belong. */
const words = [
  ...['like', 'edits', 'same', 'at', 'from', 'remove', 'insert', 'append', 'set', 'unset', 'run', 'columns', 'between'],
  ...[
    'each',
    'times',
    'grows',
    'numbers',
    'step',
    'layout',
    'pad',
    'indent',
    'cuts',
    'gapsMs',
    'events',
    'bytes',
    'raw',
  ],
  ...['text', 'lines', 'json', 'data', 'base64', 'file', 'framing', 'end', 'overlaps', 'lane', 'requires', 'toJSON'],
] as const

/** Undefined where the text is no JSON, or has no place to change. */
export function mutateJsonText(text: string, random: Random): string | undefined {
  const value = parseJson(text)
  if (value === undefined) return undefined
  const root = [value]
  for (let count = 1 + random.below(random.pick([1, 3])); count > 0; count -= 1) mutateValue(root, random)
  const changed = JSON.stringify(root[0] ?? null)
  // A member that comes twice, and a number as no value can hold it, stand in text alone.
  if (random.isOneIn(12)) return changed.replace(/"[a-zA-Z]+":/, (name) => `${name}${random.pick(oddTexts)},${name}`)
  return random.isOneIn(12) ? changed.replace(/:\d+/, () => `:${random.pick(oddTexts)}`) : changed
}

const oddTexts = [
  '1',
  '-0',
  '1e400',
  '0.30000000000000004000',
  '9007199254740993',
  '1e1',
  '"\\ud800"',
  '[[[[[]]]]]',
] as const

function mutateValue(root: Json[], random: Random): void {
  const places = placesIn(root)
  const { parent, key } = random.pick(places)
  const members = parent as Record<string, Json>
  const other = random.pick(places)
  const value = members[key] as Json
  switch (random.below(7)) {
    case 0:
      members[key] = copyOf(random.pick(oddValues))
      return
    case 1:
      if (parent !== root) Array.isArray(parent) ? parent.splice(Number(key), 1) : delete members[key]
      return
    case 2:
      members[key] = copyOf((other.parent as Record<string, Json>)[other.key] as Json)
      return
    case 3:
      members[key] = nearby(value, random)
      return
    case 4:
      if (typeof value !== 'object' || value === null) return
      if (Array.isArray(value)) (value as Json[]).push(copyOf(random.pick(oddValues)))
      else (value as Record<string, Json>)[random.pick(words)] = copyOf(random.pick(oddValues))
      return
    case 5:
      if (Array.isArray(value)) (value as Json[]).splice(random.below(value.length + 1), 0, copyOf(value[0] ?? 0))
      return
    default:
      members[key] = Array.from({ length: random.pick([1, 3, 300]) }).reduce<Json>((inner) => [inner], value)
  }
}

/** A little more, less or other than it is. */
function nearby(value: Json, random: Random): Json {
  if (typeof value === 'number') return value + random.pick([1, -1, 0.5, 1000])
  if (typeof value !== 'string') return copyOf(random.pick(oddValues))
  const at = random.below(value.length + 1)
  return `${value.slice(0, at)}${random.pick(['', '…', '/', '~', '0', 'x', '\n', '\u001b', '"'])}${value.slice(at + random.below(2))}`
}

interface Place {
  readonly parent: Container
  readonly key: string
}

function placesIn(root: Json[]): readonly Place[] {
  const places: Place[] = []
  const pending: Container[] = [root]
  for (let parent = pending.pop(); parent !== undefined; parent = pending.pop()) {
    for (const [key, value] of Object.entries(parent)) {
      places.push({ parent, key })
      if (typeof value === 'object' && value !== null) pending.push(value as Container)
    }
  }
  return places
}

function copyOf(value: Json): Json {
  return JSON.parse(JSON.stringify(value)) as Json
}
