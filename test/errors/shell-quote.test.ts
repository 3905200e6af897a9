import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { recordCommand, vitestUpdateCommand } from '../../src/errors/commands.ts'
import { readShellArgument, shellFileFilter, shellNamePattern, shellQuote } from '../../src/errors/shell-quote.ts'

const names = [
  'costs $5 and `id` $(id) $HOME',
  'says "hi" and \'bye\' & > < | ; * ? ~',
  'back\\slash at the end\\',
  '100% %PATH% !history! ^caret',
  'curly “quotes” and „low“ ones',
  'two\nlines\tand a tab',
  'пример 例え 👩‍👩‍👧 é',
  'literal {u+24} and {...}',
  '',
]

const anyText = fc.oneof(fc.string({ unit: 'grapheme' }), fc.string({ unit: 'binary' }), fc.constantFrom(...names))

describe('an argument quoted for every shell', () => {
  test.each(names)('is read back as it was: %j', (name) => {
    expect(readShellArgument(shellQuote(name).slice(1, -1))).toEqual({ text: name, prefix: false })
  })

  test('is read back as it was, whatever the text', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        expect(readShellArgument(shellQuote(text).slice(1, -1))).toEqual({ text, prefix: false })
      }),
    )
  })

  test('holds nothing that sh, PowerShell or cmd treat specially inside double quotes', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        expect(shellQuote(text)).toMatch(/^"[^"$`\\!%^\u201c-\u201f\p{Cc}\p{Zl}\p{Zp}]*"$/u)
      }),
    )
  })

  test.skipIf(!existsSync('/bin/sh'))('reaches a program unchanged through a real shell', () => {
    const quoted = names.map(shellQuote)
    const script = `printf '%s\\n' ${quoted.join(' ')}`
    const output = execFileSync('/bin/sh', ['-c', script], { encoding: 'utf8' }).split('\n').slice(0, -1)
    expect(output.map((line) => readShellArgument(line).text)).toEqual(names)
  })

  test('is cut when very long, and says that anything may follow', () => {
    const quoted = shellQuote('x'.repeat(5_000))
    expect(quoted).toBe(`"${'x'.repeat(240)}{...}"`)
    expect(readShellArgument(quoted.slice(1, -1))).toEqual({ text: 'x'.repeat(240), prefix: true })
  })
})

describe('a name pattern for a runner', () => {
  test('matches the name it was made of, in any shell', () => {
    fc.assert(
      fc.property(fc.array(anyText, { minLength: 1, maxLength: 3 }), (parts) => {
        const pattern = shellNamePattern(parts).slice(1, -1)
        expect(pattern).not.toMatch(/["$`\\!%^]/)
        expect(new RegExp(pattern, 'su').test(parts.join(' '))).toBe(true)
      }),
    )
  })

  test('leaves a plain name plain', () => {
    expect(shellNamePattern(['books', 'the cheapest (of 3)'])).toBe('"books the cheapest .of 3."')
  })
})

describe('a command', () => {
  test('names the file and the whole test', () => {
    expect(recordCommand({ file: 'test/a.test.ts', names: ['books', 'a $5 flight'] })).toBe(
      'npx turntape record "test/a.test.ts > books > a {u+24}5 flight"',
    )
  })

  test('filters a file by its longest plain piece', () => {
    expect(shellFileFilter('app/routes/$id.test.ts')).toBe('"app/routes/"')
    expect(vitestUpdateCommand({ file: 'test/a.test.ts', names: ['books'] })).toBe(
      'npx vitest run "test/a.test.ts" -t "books" -u',
    )
  })
})
