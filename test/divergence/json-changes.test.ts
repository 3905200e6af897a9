import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Json } from '../../src/core/cassette/document.ts'
import { jsonEqual } from '../../src/core/cassette/json-equal.ts'
import { alignArrays } from '../../src/divergence/align-arrays.ts'
import { jsonChanges } from '../../src/divergence/json-changes.ts'
import { memberOf, readerPath } from '../../src/divergence/json-path.ts'

/** `+ path`, `- path` or `~ path`, as a reader sees them. */
function summary(recorded: Json | undefined, present: Json | undefined): string[] {
  const marks = { added: '+', removed: '-', changed: '~' }
  return jsonChanges(recorded, present).map(({ change, presentPath, recordedPath }) => {
    return `${marks[change]} ${readerPath(change === 'removed' ? recordedPath : presentPath)}`
  })
}

const user = (content: string): Json => ({ role: 'user', content })
const assistant = (content: string): Json => ({ role: 'assistant', content })
const tool = (name: string, description = ''): Json => ({ type: 'function', function: { name, description } })

const situations: readonly (readonly [title: string, recorded: Json, present: Json, changes: readonly string[]])[] = [
  ['equal values, members in another order', { a: 1, b: [1, { c: 2, d: 3 }] }, { b: [1, { d: 3, c: 2 }], a: 1 }, []],
  ['a leaf', { a: { 'x-y': 1 } }, { a: { 'x-y': 2 } }, ['~ a["x-y"]']],
  ['members added and removed', { a: 1, b: 2 }, { b: 2, c: 3 }, ['- a', '+ c']],
  ['another type', { a: '1' }, { a: 1 }, ['~ a']],
  [
    'a message put in between',
    { messages: [user('where to?'), assistant('Oslo it is'), user('book it now')] },
    { messages: [user('where to?'), user('by train please'), assistant('Oslo it is'), user('book it now')] },
    ['+ messages[1]'],
  ],
  [
    'a message taken out and another changed',
    { messages: [user('one two three'), assistant('four five six'), user('seven eight nine'), assistant('ten')] },
    { messages: [user('one two three'), user('seven eight NINE'), assistant('ten')] },
    ['- messages[1]', '~ messages[1].content'],
  ],
  [
    'a message put in before one that changed',
    { messages: [user('tell me the weather in Oslo')] },
    { messages: [user('hello'), user('tell me the weather in Paris')] },
    ['+ messages[0]', '~ messages[1].content'],
  ],
  [
    'tools by name',
    { tools: [tool('a'), tool('b', 'old'), tool('c')] },
    { tools: [tool('b', 'new'), tool('c'), tool('d')] },
    ['- tools[0]', '~ tools[0].function.description', '+ tools[2]'],
  ],
  ['tools in another order', { tools: [tool('a'), tool('b')] }, { tools: [tool('b'), tool('a')] }, ['~ tools']],
  [
    'the JSON inside a text',
    { arguments: '{"city":"Paris","days":3}' },
    { arguments: '{ "city": "Oslo", "days": 3 }' },
    ['~ arguments → city'],
  ],
  [
    'the spelling alone of the JSON inside a text',
    { arguments: '{"a":1}' },
    { arguments: '{ "a": 1 }' },
    ['~ arguments'],
  ],
  ['a text that only begins like JSON', { content: '[note] a' }, { content: '[note] b' }, ['~ content']],
  ['an own member called __proto__', JSON.parse('{"__proto__":1}') as Json, {}, ['- __proto__']],
]

describe('the places where two values differ', () => {
  test.each(situations)('shows %s', (_, recorded, present, changes) => {
    expect(summary(recorded, present)).toEqual(changes)
  })

  test('there is none exactly where the values are equal', () => {
    const json = fc.jsonValue({ maxDepth: 4 }) as fc.Arbitrary<Json>
    fc.assert(
      fc.property(json, json, (left, right) => {
        expect(jsonChanges(left, left)).toEqual([])
        expect(jsonChanges(left, right).length === 0).toBe(jsonEqual(left, right))
      }),
    )
  })

  test('one changed leaf of an array of messages is one change', () => {
    const texts = fc.uniqueArray(fc.string({ minLength: 1 }), { minLength: 1, maxLength: 8 })
    fc.assert(
      fc.property(texts, fc.nat(), (contents, at) => {
        const index = at % contents.length
        const messages = contents.map((content) => user(`${content} said`))
        const changed = messages.map((message, i) =>
          i === index ? user(`${contents[index] as string} heard`) : message,
        )
        expect(summary({ messages }, { messages: changed })).toEqual([`~ messages[${index}].content`])
      }),
    )
  })

  test('values nested 100,000 deep are compared without overflowing the stack', () => {
    const nested = (leaf: Json): Json => {
      let value = leaf
      for (let depth = 0; depth < 100_000; depth += 1) value = [value]
      return value
    }
    expect(jsonChanges(nested(1), nested(1))).toEqual([])
    expect(jsonChanges(nested(1), nested(2))).toHaveLength(1)
  })

  test('an array too large to align is compared in the order it stands', () => {
    const numbers = (offset: number) => Array.from({ length: 1_000 }, (_, index) => index + offset)
    expect(jsonChanges(numbers(0), numbers(5_000))).toHaveLength(1_000)
  })
})

describe('an alignment of two arrays', () => {
  const item = fc.oneof(
    fc.integer({ min: 0, max: 3 }),
    fc.record({ role: fc.constantFrom('user', 'tool'), content: fc.string() }),
  )

  test('names every element of both once, in order', () => {
    fc.assert(
      fc.property(fc.array(item, { maxLength: 8 }), fc.array(item, { maxLength: 8 }), (recorded, present) => {
        const pairs = alignArrays(recorded, present)
        expect(pairs.map((pair) => pair.recorded).filter((index) => index !== undefined)).toEqual([...recorded.keys()])
        expect(pairs.map((pair) => pair.present).filter((index) => index !== undefined)).toEqual([...present.keys()])
      }),
    )
  })

  test('keeps every other element where some were put in', () => {
    fc.assert(
      fc.property(fc.uniqueArray(fc.string(), { maxLength: 8 }), fc.nat(), (contents, at) => {
        const recorded = contents.map(user)
        const index = at % (contents.length + 1)
        const present = recorded.toSpliced(index, 0, { role: 'developer', content: 'new' })
        const added = alignArrays(recorded, present).filter((pair) => pair.recorded === undefined)
        expect(added).toEqual([{ recorded: undefined, present: index }])
      }),
    )
  })
})

test('a path is read as a reader writes it, into the JSON of a text as well', () => {
  expect(readerPath(['messages', 3, 'tool_calls', 0, 'function', 'arguments', null, 'city'])).toBe(
    'messages[3].tool_calls[0].function.arguments → city',
  )
  expect(memberOf({ a: [1, 2] }, 'constructor')).toBeUndefined()
})
