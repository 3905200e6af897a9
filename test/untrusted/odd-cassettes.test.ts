/** Files that are well formed as JSON and say what no recording can: each is refused with its place, or harmless. */
import { describe, expect, test } from 'vitest'
import { defaultCaps } from '../../src/core/cassette/caps.ts'
import { parseCassette } from '../../src/core/cassette/parse-cassette.ts'
import { unfoldCassette } from '../../src/core/cassette/unfold-cassette.ts'
import { writeCassette } from '../../src/core/cassette/write-cassette.ts'
import { isReplayError } from '../../src/errors/replay-error.ts'
import { cassetteOf, httpInteraction } from '../cassette/sample-cassette.ts'

const whole = JSON.parse(writeCassette(cassetteOf(httpInteraction(1, { text: 'x' }))))

interface Refusal {
  readonly code: string
  readonly pointer?: string
  readonly reason?: string
  readonly cap?: string
}

function refusalOf(text: string): Refusal | undefined {
  try {
    unfoldCassette(parseCassette(text, { cassette: 'cassettes/a.json', caps: defaultCaps }))
    return undefined
  } catch (error) {
    if (!isReplayError(error)) throw error
    const { pointer, reason, cap } = error.details as Omit<Refusal, 'code'>
    return { code: error.code, ...(pointer && { pointer }), ...(reason && { reason }), ...(cap && { cap }) }
  }
}

function withMember(pointer: string, json: string): string {
  const copy = structuredClone(whole)
  const path = pointer.split('/').slice(1)
  const parent = path.slice(0, -1).reduce((node, step) => node[step], copy)
  parent[path.at(-1) as string] = '@'
  return JSON.stringify(copy).replace('"@"', () => json)
}

const first = '/interactions/0'
const count = (found: string): string => `it must be a whole number, zero or more, found ${found}`

describe('F19 a time, a number or a head that no recording has is refused at its place', () => {
  test.each([
    [`${first}/timing/startMs`, '-1', count('-1')],
    [`${first}/timing/startMs`, '0.5', count('0.5')],
    [`${first}/timing/startMs`, '1e300', count('1e+300')],
    [`${first}/timing/headMs`, '9007199254740992', count('9007199254740992')],
    [`${first}/timing/headMs`, 'null', count('null')],
    [`${first}/number`, '-0.5', count('-0.5')],
    [`${first}/response/status`, '99', 'it must be a whole number from 200 to 999, found 99'],
    [`${first}/response/body/text`, '["x"]', 'it must be a string, found an array of 1'],
    [`${first}/response/headers`, '[["a","b\\r\\nset-cookie: c"]]', 'it holds what no header can'],
    [`${first}/response/headers`, '[["a","\\u0000"]]', 'it holds what no header can'],
    [`${first}/response/headers`, '[["a","\\u4e00"]]', 'it holds what no header can'],
    [`${first}/response/statusText`, '"OK\\r\\nx: y"', 'it holds what no status text can'],
    ['/recordedAt', '"2026-02-30T00:00:00.000Z"', 'there is no such date'],
    [
      '/recordedAt',
      '"+275760-09-13T00:00:00.001Z"',
      'it must be a UTC date and time with milliseconds, found another string',
    ],
    [`${first}/request/body/json`, '1e400', 'the number has more digits than a double holds'],
    [`${first}/request/body/json`, '12345678901234567890', 'the number has more digits than a double holds'],
    [`${first}/request/body/json`, `1${'0'.repeat(200_000)}1`, 'the number has more digits than a double holds'],
    [`${first}/request/body/json`, '{"a":1,"\\u0061":2}', 'the name "a" stands twice in one object'],
  ])('%s: %s', (pointer, json, reason) => {
    const refusal = refusalOf(withMember(pointer, json))
    expect(refusal).toMatchObject({ code: 'TURNTAPE_CASSETTE_INVALID', reason })
    expect(refusal?.pointer?.startsWith(pointer)).toBe(true)
  })

  test('what is large but can be is taken: the longest gap, a thousand years', () => {
    expect(refusalOf(withMember(`${first}/response/body/gapsMs`, '[9007199254740991]'))).toBe(undefined)
    expect(refusalOf(withMember('/recordedAt', '"9999-12-31T23:59:59.999Z"'))).toBe(undefined)
  })
})

describe('F19 F20 no depth and no repetition is too much to be refused', () => {
  const deep = (open: string, close: string): string => open.repeat(1_000_000) + close.repeat(1_000_000)
  const notOurs = 'this is no cassette: its "format" must be "turntape/1"'
  test.each([
    ['a million open brackets', '['.repeat(1_000_000), { reason: 'the file ends in the middle: it is truncated' }],
    ['a million nested arrays', deep('[', ']'), { reason: notOurs }],
    ['a million nested objects', deep('{"a":', '}').replace('}', '1}'), { reason: notOurs }],
    [
      'a body nested so',
      withMember(`${first}/request/body/json`, deep('[', ']')),
      { reason: expect.stringContaining('256 levels') },
    ],
    ['an unknown member nested so', withMember(`${first}/more`, deep('[', ']')), { reason: 'unknown member "more"' }],
    [
      'a slip after a million values',
      `[${'0,'.repeat(1_000_000)}}`,
      { reason: expect.stringContaining('unexpected }') },
    ],
    ['a million line ends', '\n'.repeat(1_000_000), { reason: 'the file is empty' }],
    ['a million quotes', '"'.repeat(1_000_001), { reason: expect.any(String) }],
    [
      'eight megabytes and one byte',
      `${JSON.stringify(whole)}${' '.repeat(8 * 1024 * 1024)}`,
      { cap: 'maxCassetteBytes' },
    ],
  ])('%s', (_, text, refusal) => {
    expect(refusalOf(text)).toMatchObject(refusal)
  })
})
