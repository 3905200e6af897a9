import { describe, expect, test } from 'vitest'
import type { RedactOptions } from '../../src/redaction/redact-options.ts'
import { bodyOf, joinedText, redactorOf, requestOf, textOf } from './secret-samples.ts'

describe('the option redact', () => {
  test('adds JSON keys, in any spelling', () => {
    const { body } = redactorOf({ keys: ['tenant_id'] }).request(
      requestOf({ body: '{"tenantId":"t-1","a":{"TENANT-ID":"t-2","tenant":"x"}}' }),
    )
    expect(textOf(body)).toBe(
      '{"tenantId":"<redacted:tenant-id:1>","a":{"TENANT-ID":"<redacted:tenant-id:2>","tenant":"x"}}',
    )
  })

  test('adds query keys', () => {
    expect(redactorOf({ query: ['tenant'] }).request(requestOf({ url: 'https://x.test/?Tenant=a&b=c' })).url).toBe(
      'https://x.test/?Tenant=<redacted:tenant:1>&b=c',
    )
  })

  test('adds patterns, with or without a name, whatever their flags', () => {
    const redactor = redactorOf({ patterns: [/emp-\d+/y, { name: 'phone', pattern: /\+49 ?\d+/ }] })
    expect(redactor.text('emp-1 called +49 123, emp-2 and emp-1')).toBe(
      '<redacted:custom:1> called <redacted:phone:1>, <redacted:custom:2> and <redacted:custom:1>',
    )
  })

  test('matches patterns against each string of a JSON as it reads, and never over its end', () => {
    const redactor = redactorOf({ patterns: [/name is .*/, /say "hi"/] })
    const { body } = redactor.request(requestOf({ body: '{"a":"my name is \\u00c4nne\\nok","b":"say \\"hi\\" now"}' }))
    expect(textOf(body)).toBe('{"a":"my <redacted:custom:1>\\nok","b":"<redacted:custom:2> now"}')
  })

  test('matches patterns in text that comes in pieces', () => {
    const chunks = ['{"t":"emp"}\n', '{"t":"-12"}\n', '{"t":"3 "}\n']
    const body = redactorOf({ patterns: [/emp-\d+/] }).responseBody(bodyOf(chunks), 'application/x-ndjson')
    expect(joinedText(body)).toBe('{"t":"<redacted:custom:1>"}\n{"t":""}\n{"t":" "}\n')
  })

  test('never splits a letter of two units', () => {
    const body = redactorOf({ patterns: [/x./] }).responseBody(bodyOf(['x😀', 'y']), 'text/plain')
    expect(joinedText(body)).toBe('<redacted:custom:1>y')
  })

  test('adds values, in JSON and URLs as they read decoded; short ones as whole words alone', () => {
    const values = { 'shop-password': 'q7"Rw2/Xn9', 'user-name': 'vera', unset: undefined, empty: '' }
    const redactor = redactorOf({ values })
    expect(redactor.text('vera and veranda: q7"Rw2/Xn9!')).toBe(
      '<redacted:user-name:1> and veranda: <redacted:shop-password:1>!',
    )
    const { url, body } = redactor.request(
      requestOf({ url: 'https://x.test/q7%22Rw2%2FXn9?u=vera', body: '{"a":"q7\\"Rw2/Xn9 é"}' }),
    )
    expect(url).toBe('https://x.test/<redacted:shop-password:1>?u=<redacted:user-name:1>')
    expect(textOf(body)).toBe('{"a":"<redacted:shop-password:1> é"}')
  })

  test('says nothing of a value that it refuses', () => {
    const given = (values: unknown): string => {
      try {
        redactorOf({ values } as RedactOptions)
        return ''
      } catch (error) {
        return (error as Error).message
      }
    }
    expect(given({ short: 'q7R' })).toContain('3 characters')
    expect(given({ short: 'q7R' })).not.toContain('q7R')
    expect(given({ list: ['q7Rw2Xn9'] })).not.toContain('q7R')
    expect(given(['q7Rw2Xn9'])).not.toContain('q7R')
  })

  test.each<[unknown, string]>([
    ['keys', 'redact'],
    [{ key: ['a'] }, 'redact.key'],
    [{ keys: 'a' }, 'redact.keys'],
    [{ query: [''] }, 'redact.query[0]'],
    [{ headers: ['a', 7] }, 'redact.headers[1]'],
    [{ patterns: ['a'] }, 'redact.patterns[0]'],
    [{ patterns: [{ name: 'A b', pattern: /a/ }] }, 'redact.patterns[0].name'],
    [{ patterns: [/a/, { name: 'a' }] }, 'redact.patterns[1]'],
    [{ values: ['abcdefgh'] }, 'redact.values'],
    [{ values: { 'A b': 'abcdefgh' } }, 'redact.values.A b'],
    [{ values: { a: 7 } }, 'redact.values.a'],
  ])('refuses %j and names the place', (options, option) => {
    expect(() => redactorOf(options as RedactOptions)).toThrow(
      expect.objectContaining({ code: 'TURNTAPE_INVALID_OPTION', details: expect.objectContaining({ option }) }),
    )
  })
})
