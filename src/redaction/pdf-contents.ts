import { asBuffer } from '../core/cassette/as-buffer.ts'
import { decompressKnown, type UnpackBudget } from './decompress.ts'

const start = Buffer.from('%PDF-', 'latin1')
const keyword = Buffer.from('stream', 'latin1')
const lineFeed = 0x0a
const carriageReturn = 0x0d

/** Readers take a PDF that begins within these. */
const startBytes = 1024

/** The streams of a PDF that are packed by deflate alone (`FlateDecode`), and what a page that is one of them says. */
export function* pdfContents(bytes: Uint8Array, budget: UnpackBudget): Generator<Uint8Array> {
  const pdf = asBuffer(bytes)
  if (pdf.subarray(0, startBytes).indexOf(start) < 0) return
  for (let at = pdf.indexOf(keyword); at >= 0; at = pdf.indexOf(keyword, at + keyword.length)) {
    let begin = at + keyword.length
    if (pdf[begin] === carriageReturn) begin += 1
    if (pdf[begin] !== lineFeed) continue
    const stream = decompressKnown(pdf.subarray(begin + 1), budget)
    if (stream === undefined) continue
    yield stream
    const shown = shownText(Buffer.from(stream).toString('latin1'))
    if (shown !== '') yield Buffer.from(shown, 'latin1')
  }
}

// What is not closed is one piece: looking for its end again from each bracket in it would never be done.
const shownPiece = /\(((?:[^()\\]|\\[\s\S])*)\)?|<([0-9A-Fa-f\s]{2,})>/g

/** Where the letters of a page are written as such: `[(Hel) -20 (lo)] TJ` says `Hello`. */
function shownText(content: string): string {
  if (!/\bT[Jj]\b/.test(content)) return ''
  const pieces = [...content.matchAll(shownPiece)].map(([, literal, hex]) =>
    literal === undefined
      ? Buffer.from((hex as string).replace(/\s+/g, ''), 'hex').toString('latin1')
      : literal.replace(/\\([()\\])/g, '$1'),
  )
  return pieces.join('')
}
