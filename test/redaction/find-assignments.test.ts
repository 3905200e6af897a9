import { describe, expect, test } from 'vitest'
import { findAssignments } from '../../src/redaction/find-assignments.ts'
import { redactorOf } from './secret-samples.ts'

const value = 'q7Rw2Xn9Kd4T'

describe('promise 7: secrets that a text sets by name', () => {
  test.each([
    ['DB_PASSWORD=', 'db-password'],
    ['export OPENAI_API_KEY="', 'openai-api-key'],
    ['aws_secret_access_key = ', 'aws-secret-access-key'],
    ['x-api-key: ', 'x-api-key'],
    ["curl -H 'Private-Token: ", 'private-token'],
    ['AccountName=a;AccountKey=', 'account-key'],
    ['password: ', 'password'],
    ["const apiKey = '", 'api-key'],
    ['"a\\nDB_PASSWORD=', 'db-password'],
    ['"{\\"env\\":\\"a\\\\nDB_PASSWORD=', 'db-password'],
    ['filename=DB_PASSWORD=', 'db-password'],
    ['it failed: DB_PASSWORD=', 'db-password'],
    ['\u001b[1;32mDB_PASSWORD=', 'db-password'],
    ['"\\u001b[0mDB_PASSWORD=', 'db-password'],
    ["'\\033[32mDB_PASSWORD=", 'db-password'],
  ])('are found after %s', (before, kind) => {
    const start = before.length
    expect(findAssignments(`${before}${value}`)).toEqual([{ start, end: start + value.length, kind, secret: value }])
  })

  test.each([
    'OPENAI_API_KEY=your-key-here',
    'OPENAI_API_KEY=$KEY_FROM_1PASSWORD',
    'API_KEY=process.env.API_KEY2',
    'password: see the note of page 12',
    'password = short1',
    'max_tokens=1234567890a',
    'next_page_token: CAUQAA1234567',
    'SSH_KEY_PATH=keys/id_ed25519',
    'token: 1234abcd5678',
    'DB_PASSWORD=<redacted:db-password:1>',
    'the monkey=q7Rw2Xn9Kd4T',
  ])('are not seen in %s', (text) => {
    expect(findAssignments(text)).toEqual([])
  })

  test('are rewritten where a tool prints its environment, and twice the same', () => {
    const printed = `PATH=/usr/bin\nDB_PASSWORD=${value}\nAPI_TOKEN=${value}9\nHOME=/home/alice\n`
    const redacted =
      'PATH=/usr/bin\nDB_PASSWORD=<redacted:db-password:1>\nAPI_TOKEN=<redacted:api-token:1>\nHOME=<home>\n'
    expect(redactorOf().text(printed)).toBe(redacted)
    expect(redactorOf().text(redacted)).toBe(redacted)
    expect(redactorOf().json({ out: printed })).toEqual({ out: redacted })
  })

  test('are looked for in linear time', { timeout: 60_000 }, () => {
    for (const piece of ['a', 'a_', 'password', 'password=', 'A: ', '_-.', '\\n']) {
      expect(findAssignments(piece.repeat((2 * 1024 * 1024) / piece.length)).length).toBeLessThan(2)
    }
  })
})
