import { describe, expect, it } from 'vitest'
import { findNotJson } from '../../src/core/matching/find-not-json.ts'

const cyclic: { a: unknown[] } = { a: [1] }
cyclic.a.push({ back: cyclic })
const shared = { x: 1 }
let deep: unknown = 1
for (let depth = 0; depth < 100_000; depth++) deep = [deep]

describe('findNotJson', () => {
  it.each([
    ['a function', { a: { 'b/c': [() => 1] } }, '/a/b~1c/0', 'a function'],
    ['a symbol', [Symbol('x')], '/0', 'a symbol'],
    ['a bigint', { n: 1n }, '/n', 'a bigint'],
    ['NaN', { a: 1, b: Number.NaN }, '/b', 'NaN'],
    ['an infinity', Number.NEGATIVE_INFINITY, '', '-Infinity'],
    ['undefined', undefined, '', 'undefined'],
    ['undefined in an array', [1, undefined], '/1', 'undefined'],
    ['a hole', Array(2), '/0', 'undefined'],
    ['a date', { at: new Date(0) }, '/at', 'a Date'],
    ['an error', [new Error('x')], '/0', 'an Error'],
    ['a map', new Map(), '', 'a Map'],
    ['bytes', { '~': new Uint8Array(1) }, '/~0', 'a Uint8Array'],
    ['a class', new (class Weather {})(), '', 'a Weather'],
    ['a cycle', cyclic, '/a/1/back', 'a cycle'],
    ['the first of several', [[1, [Number.NaN]], () => 1], '/0/1/0', 'NaN'],
  ])('finds %s', (_, value, pointer, found) => {
    expect(findNotJson(value)).toEqual({ pointer, found })
  })

  it.each([
    ['scalars', [null, true, 'x', 1.5, -0]],
    ['an undefined member', { a: undefined, b: 1 }],
    ['an object without prototype', Object.assign(Object.create(null), { a: 1 })],
    ['a member named constructor', { constructor: null }],
    ['a shared object', [shared, shared, { shared }]],
    ['a value nested 100,000 deep', deep],
  ])('finds nothing in %s', (_, value) => {
    expect(findNotJson(value)).toBe(undefined)
  })
})
