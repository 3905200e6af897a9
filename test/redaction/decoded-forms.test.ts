import zlib, { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { decodedForms, formsOfBytes } from '../../src/redaction/decoded-forms.ts'
import { createUnpackBudget } from '../../src/redaction/decompress.ts'
import { pdfOf, zipOf } from './packed-samples.ts'

const said = 'the word is q7Rw2/Xn9+Kd4 é and more of it'
const page = `BT /F1 12 Tf [(${said.slice(0, 20)}) -120 (${said.slice(20)})] TJ ET`

const zstdCompress = (zlib as { readonly zstdCompressSync?: (text: string) => Buffer }).zstdCompressSync
const mail = said.replaceAll('=', '=3D').replace('é', '=C3=A9')
const base64 = Buffer.from(said).toString('base64')

function reads(text: string): boolean {
  return decodedForms(text).some((form) => form.text.includes(said))
}

describe('promise 7: what a text says decoded', () => {
  test.each([
    ['JSON in a string', JSON.stringify(`"${said}`)],
    ['JSON in JSON in a string', JSON.stringify(JSON.stringify(`"${said}\n`))],
    ['ASCII escapes', JSON.stringify(`"${said}`).replace('é', '\\u00e9').replace('+', '\\u002B')],
    ['escapes of two hex digits', said.replace('é', '\\xe9')],
    ['a URL', encodeURIComponent(said)],
    ['a form', new URLSearchParams({ a: said }).toString()],
    ['HTML', `<p>${said.replaceAll('+', '&#43;').replaceAll('/', '&#x2F;')}`],
    ['base64', base64],
    ['base64 for URLs', Buffer.from(said).toString('base64url')],
    ['base64 in a data URL', `data:text/plain;base64,${base64}`],
    ['base64 at the end of a path', `/files/v-1/${base64}`],
    ['base64 behind an escaped line feed', `a\\n${base64}`],
    ['base64 in lines of 20', `${base64.match(/.{1,20}/g)?.join('\r\n')}`],
    ['base64 in base64', Buffer.from(`x ${base64}`).toString('base64')],
    ['base64 in a URL in JSON', JSON.stringify(`"?a=${encodeURIComponent(base64)}`)],
    ['hex digits', Buffer.from(said).toString('hex')],
    ['gzip in base64', gzipSync(said).toString('base64')],
    ['gzip in base64 behind a slash', `/a/${gzipSync(said).toString('base64')}`],
    ['zlib in base64', deflateSync(said).toString('base64')],
    ['gzip in hex digits', gzipSync(said).toString('hex')],
    ['brotli in base64', brotliCompressSync(said).toString('base64')],
    ['bare deflate in base64', deflateRawSync(said).toString('base64')],
    ['a zip in base64', zipOf(said).toString('base64')],
    ['a zip in base64 behind a slash', `/a/b/${zipOf(said).toString('base64')}`],
    ['a zip in a zip', zipOf(zipOf(said)).toString('base64')],
    [
      'a document of Word, a word cut over tags',
      zipOf(`<?xml version="1.0"?><w:t>${said.slice(0, 9)}</w:t><w:t>${said.slice(9)}</w:t>`).toString('base64'),
    ],
    ['a zip that was cut off', zipOf(`${said}, and more`).subarray(0, -9).toString('base64')],
    ['a PDF', pdfOf(`(${said}) Tj`).toString('base64')],
    ['a PDF with other line ends', pdfOf(`(${said}) Tj`, '\r\n').toString('base64')],
    ['lines of mail', mail.match(/.{1,20}/g)?.join('=\r\n') ?? ''],
    ['UTF-16 in base64', Buffer.from(said, 'utf16le').toString('base64')],
    ['UTF-16 in base64, the other half first', Buffer.from(said, 'utf16le').swap16().toString('base64')],
    ['colours of a terminal', said.replaceAll(' ', '\u001b[1;32m \u001b[0m').replace('q7', 'q\u001b[0m7')],
    ['letters of no width', said.replace('q7', 'q\u200b7').replace('Xn', 'X\u00adn')],
    [
      'a dump of hex digits',
      Buffer.from(said)
        .toString('hex')
        .replace(/..(?=.)/g, '$& '),
    ],
    [
      'hex digits with colons',
      Buffer.from(said)
        .toString('hex')
        .toUpperCase()
        .replace(/..(?=.)/g, '$&:'),
    ],
    ['a buffer in JSON in a string', JSON.stringify(Buffer.from(said))],
    ['bytes as numbers', `[${[...Buffer.from(said)].join(', ')}]`],
    ['escapes with braces', [...said].map((letter) => `\\u{${letter.codePointAt(0)?.toString(16)}}`).join('')],
    ['octal escapes', [...said].map((letter) => `\\${letter.charCodeAt(0).toString(8).padStart(3, '0')}`).join('')],
    ['a gzip that was cut off', gzipSync(said).subarray(0, -6).toString('base64')],
  ])('is read in %s', (_, text) => {
    expect(reads(text)).toBe(true)
  })

  // Each letter of it is a byte of the page.
  test('is read in a page of a PDF that moves its letters together', () => {
    const latin1 = Buffer.from(said).toString('latin1')
    const forms = decodedForms(pdfOf(page.replaceAll(said, latin1)).toString('base64'))
    expect(forms.some(({ text }) => text.includes(said.slice(0, 36)))).toBe(true)
  })

  test.skipIf(zstdCompress === undefined)('is read in zstd, where Node has it', () => {
    expect(reads(zstdCompress?.(said).toString('base64') ?? '')).toBe(true)
  })

  test.each<[string, Uint8Array]>([
    ['bytes that are no text', Buffer.concat([Buffer.from([0xff, 0]), Buffer.from('word q7Rw2Xn9')])],
    ['UTF-16', Buffer.from('\ufeffword q7Rw2Xn9', 'utf16le')],
    ['UTF-16, the other half first', Buffer.from('\ufeffword q7Rw2Xn9', 'utf16le').swap16()],
    ['compressed bytes', gzipSync('word q7Rw2Xn9')],
  ])('is read in %s, in base64 as well', (_, bytes) => {
    expect(formsOfBytes(bytes).some(({ text }) => text.includes('word q7Rw2Xn9'))).toBe(true)
    const inBase64 = decodedForms(`a ${Buffer.from(bytes).toString('base64')}`)
    expect(inBase64.some(({ text }) => text.includes('word q7Rw2Xn9'))).toBe(true)
  })

  test('is not unpacked without end', () => {
    const bomb = gzipSync(Buffer.alloc(64 * 1024 * 1024)).toString('base64')
    expect(decodedForms(bomb).reduce((sum, { text }) => sum + text.length, 0)).toBeLessThan(bomb.length * 20)
  })

  test('is unpacked within one budget, however many there are', () => {
    const one = gzipSync(Buffer.alloc(15 * 1024 * 1024))
    const budget = createUnpackBudget()
    const { bytes } = budget.known
    const forms = Array.from({ length: 40 }, () => decodedForms(one.toString('base64'), budget)).flat()
    const unpacked = forms.reduce((sum, { text }) => sum + text.length, 0)
    expect(unpacked).toBeLessThan(2 * bytes + 80 * one.length)
    expect(budget.known.bytes).toBeGreaterThanOrEqual(0)
  })

  test('entries of a zip that share their content are unpacked within it, too', () => {
    const content = deflateRawSync(Buffer.alloc(1024 * 1024))
    const heads = Array.from({ length: 2000 }, (_, index) => {
      const head = zipOf('').subarray(0, 39)
      // The extra field reaches over all heads that follow.
      head.writeUInt16LE(Math.min(0xffff, (1999 - index) * 39), 28)
      return head
    })
    const budget = createUnpackBudget()
    const { bytes } = budget.known
    const unpacked = formsOfBytes(Buffer.concat([...heads, content]), budget)
    expect(unpacked.reduce((sum, { text }) => sum + text.length, 0)).toBeLessThan(4 * bytes)
  })

  test('what is only tried takes nothing from what tells itself', () => {
    const budget = createUnpackBudget()
    const noise = Array.from({ length: 6000 }, (_, index) => Buffer.from(`\xff${index}`.repeat(4), 'latin1'))
    for (const bytes of noise) formsOfBytes(bytes, budget)
    expect(budget.tried.streams).toBe(0)
    expect(budget.known).toEqual(createUnpackBudget().known)
  })

  test('is not unpacked in circles, and more runs than a call has room for are read', () => {
    let layered = gzipSync('x')
    for (let layer = 0; layer < 50; layer += 1) layered = gzipSync(layered)
    expect(decodedForms(layered.toString('base64')).length).toBeLessThan(5)
    const runs = Array.from({ length: 150_000 }, (_, index) => `id_${index}_of_a_run_of_base64`).join(' ')
    expect(decodedForms(runs).length).toBeLessThan(20)
  })

  test('comes once, in whatever order it is reached', () => {
    const text = JSON.stringify(`"a+b=%41&amp;${said}`)
    const forms = decodedForms(text).map((form) => form.text)
    expect(new Set(forms).size).toBe(forms.length)
    expect(forms.length).toBeLessThan(20)
  })
})
