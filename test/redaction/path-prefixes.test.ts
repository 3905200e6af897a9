import { describe, expect, test } from 'vitest'
import { createRedactor } from '../../src/redaction/redactor.ts'
import { redactorOf } from './secret-samples.ts'

const windows = {
  project: 'C:\\Users\\Alice\\shop',
  home: 'C:\\Users\\Alice',
  temporary: ['C:\\Users\\Alice\\AppData\\Local\\Temp'],
}

describe('F15: path prefixes', () => {
  test.each([
    ['/home/alice/shop/src/a.ts', '<project>/src/a.ts'],
    ['/home/alice/shop', '<project>'],
    ['/home/alice/.ssh/config', '<home>/.ssh/config'],
    ['in /home/alice.', 'in <home>.'],
    ['"/home/alice"', '"<home>"'],
    ['<cwd>/home/alice/shop</cwd>', '<cwd><project></cwd>'],
    ['file:///home/alice/shop/a', 'file://<project>/a'],
    ['PATH=/home/alice/bin:/home/alice/shop/bin', 'PATH=<home>/bin:<project>/bin'],
    ['/var/folders/ab/T/x-1', '<tmp>/x-1'],
    ['/private/var/folders/ab/T/x-1', '<tmp>/x-1'],
    ['/tmp/scratch', '<tmp>/scratch'],
    ['路径/home/alice/shop/a', '路径<project>/a'],
    ['{"text":"in\\n/home/alice/shop"}', '{"text":"in\\n<project>"}'],
    ['"\\/home\\/alice\\/shop\\/a"', '"<project>\\/a"'],
    ['?path=%2Fhome%2Falice%2Fshop%2Fa', '?path=<project>%2Fa'],
  ])('writes %s as %s', (text, redacted) => {
    expect(redactorOf().text(text)).toBe(redacted)
    expect(redactorOf().text(redacted)).toBe(redacted)
  })

  test.each([
    '/home/alice-old/x',
    '/home/alice_2',
    '/home/alice.bak/x',
    '/home/alicesmith',
    '/mnt/home/alice/x',
    './home/alice/x',
    'https://example.com/home/alice',
    '/tmpfs/x',
  ])('leaves %s alone', (text) => {
    expect(redactorOf().text(text)).toBe(text)
  })

  test.each([
    ['C:\\Users\\Alice\\shop\\a.ts', '<project>\\a.ts'],
    ['c:/users/alice/shop/a.ts', '<project>/a.ts'],
    [JSON.stringify('C:\\Users\\Alice\\x'), '"<home>\\\\x"'],
    [JSON.stringify(JSON.stringify('C:\\Users\\Alice\\x')), '"\\"<home>\\\\\\\\x\\""'],
    ['file:///C:/Users/Alice/AppData/Local/Temp/x', 'file:///<tmp>/x'],
  ])('writes the Windows path %s as %s', (text, redacted) => {
    expect(createRedactor(windows).text(text)).toBe(redacted)
  })

  test('finds a folder whose name is not ASCII in every spelling of it', () => {
    const redactor = createRedactor({ project: '/srv/bücher (1)', home: '/home/jörg', temporary: [] })
    for (const text of ['/home/jörg/x', '"/home/j\\u00f6rg/x"', '/home/j%C3%B6rg/x']) {
      expect(redactor.text(text)).toContain('<home>/x')
    }
    expect(redactor.text('/srv/b%C3%BCcher%20%281%29/x')).toBe('<project>/x')
  })

  test('never takes a root folder for a prefix', () => {
    const redactor = createRedactor({ project: '/', home: '/a', temporary: ['C:\\', ''] })
    expect(redactor.text('/a/b and C:\\x and /')).toBe('/a/b and C:\\x and /')
  })

  test('keeps a JSON text valid where a slash is escaped', () => {
    const text = '{"a":"at \\/home\\/alice\\/y","b":"at \\\\\\/home/alice/y","c":"{\\"d\\":\\"\\\\/home\\\\/alice\\"}"}'
    const redacted = JSON.parse(redactorOf().text(text))
    expect(redacted).toEqual({ a: 'at <home>/y', b: 'at <home>/y', c: '{"d":"<home>"}' })
  })
})
