/** Files at every cap, made to take as much memory as a file can: the largest texts, the most values, events, chunks and copies. */
import { defaultCaps } from '../../src/core/cassette/caps.ts'
import { writeCassette } from '../../src/core/cassette/write-cassette.ts'
import { cassetteOf, httpInteraction } from '../cassette/sample-cassette.ts'

const plain = JSON.parse(writeCassette(cassetteOf(httpInteraction(1))))
const [first] = plain.interactions
const { maxCassetteBytes, maxInteractions, maxChunks, maxBodyBytes } = defaultCaps

function fileOf(interactions: readonly object[]): string {
  const numbered = interactions.map((one, index) => ({ ...first, ...one, number: index + 1 }))
  return JSON.stringify({ ...plain, interactions: numbered })
}

function answered(body: object): object {
  return { response: { ...first.response, body } }
}

/** A file of exactly the cap, with a JSON body of as many of these as there is room for. */
function filled(unit: (index: number) => string, [open, close]: string): string {
  const [head = '', tail = ''] = fileOf([answered({ json: '@' })]).split('"@"')
  const room = maxCassetteBytes - Buffer.byteLength(head + tail) - 2
  const units: string[] = []
  for (let taken = 0; ; ) {
    const next = unit(units.length)
    taken += next.length + 1
    if (taken > room) break
    units.push(next)
  }
  return `${head}${open}${units.join()}${close}${tail}`.padEnd(maxCassetteBytes)
}

function stream(run: number, text: string): object {
  const column = { each: [text], times: [run] }
  return answered({
    framing: 'sse',
    events: [{ run, text: '…', columns: { '/text': column } }],
    cuts: { events: [run] },
  })
}

function conversation(edits: number): string {
  const list = Array.from({ length: 100_000 }, () => 0)
  const rest = Array.from({ length: edits }, (_, index) => ({
    request: { like: index + 1, edits: [{ at: `/${index}`, set: 1 }] },
  }))
  return fileOf([{ request: { ...first.request, body: { json: list } } }, ...rest])
}

const zeros = filled(() => '0', '[]')

/** By what it is at the edge of; the answer is `ok`, or the code that it is refused with. */
export const monsters: Readonly<Record<string, { readonly text: string; readonly answer: string }>> = {
  'the file, four million numbers': { text: zeros, answer: 'ok' },
  'the file, one of them spelled otherwise': { text: zeros.replace('[0,0', '[0.0'), answer: 'ok' },
  'the file, a name twice at its end': {
    text: zeros
      .trimEnd()
      .replace('0,0,0,0,0,0,', '')
      .replace(/\}\]\}$/, ',"number":1}]}'),
    answer: 'TURNTAPE_CASSETTE_INVALID',
  },
  'the file, cut at its end': { text: zeros.trimEnd().slice(0, -3), answer: 'TURNTAPE_CASSETTE_INVALID' },
  'the file, two million objects': { text: filled(() => '{}', '[]'), answer: 'ok' },
  'the file, half a million names': { text: filled((index) => `"n${index}":0`, '{}'), answer: 'ok' },
  'the file, four million open brackets': { text: '['.repeat(maxCassetteBytes), answer: 'TURNTAPE_CASSETTE_INVALID' },
  'the file, one text': {
    text: filled((index) => (index === 0 ? `"${'e'.repeat(8_300_000)}"` : '0'), '[]'),
    answer: 'ok',
  },
  'a body': { text: fileOf([stream(65_536, 'a'.repeat(maxBodyBytes / 65_536 - 8))]), answer: 'ok' },
  chunks: {
    text: fileOf([answered({ text: '', cuts: { bytes: [`0 x ${maxChunks}`] }, gapsMs: [`9 x ${maxChunks}`] })]),
    answer: 'ok',
  },
  interactions: {
    text: fileOf(Array.from({ length: maxInteractions }, () => answered({ text: 'x'.repeat(2000) }))),
    answer: 'ok',
  },
  'events of a stream': { text: fileOf([stream(262_144, 'a')]), answer: 'ok' },
  'copies in all': { text: conversation(160), answer: 'ok' },
}
