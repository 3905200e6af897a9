import { deflateSync, gzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { decodedForms, formsOfBytes } from '../../src/redaction/decoded-forms.ts'

const said = 'the word is q7Rw2/Xn9+Kd4 é and more of it'
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
    ['a gzip that was cut off', gzipSync(said).subarray(0, -6).toString('base64')],
  ])('is read in %s', (_, text) => {
    expect(reads(text)).toBe(true)
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
