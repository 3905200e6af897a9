import type { CapName, ErrorDetails } from '../codes.ts'
import { elideMiddle } from '../elide.ts'
import { composeMessage, grouped } from './compose-message.ts'

const capWords: Readonly<Record<CapName, { readonly what: string; readonly unit: 'bytes' | string }>> = {
  maxCassetteBytes: { what: 'the size of the cassette', unit: 'bytes' },
  maxBodyBytes: { what: 'the size of one body', unit: 'bytes' },
  maxInteractions: { what: 'the number of interactions', unit: 'interactions' },
  maxChunks: { what: 'the number of chunks of one response', unit: 'chunks' },
  maxBlocks: { what: 'the number of blocks of one turn', unit: 'blocks' },
}

/** TURNTAPE_CAP_EXCEEDED: refused, never shortened. Names the cassette, the cap, the count and the option that raises it. */
export function capExceededMessage(details: ErrorDetails['TURNTAPE_CAP_EXCEEDED']): string {
  const { what, unit } = capWords[details.cap]
  const { limit } = details
  const over = details.when === 'recording' ? 'would exceed' : 'exceeds'
  return composeMessage({
    headline: `The cassette ${over} its cap ${details.cap}: ${elideMiddle(details.cassette, 90)}`,
    facts: [
      ['cassette', details.cassette],
      ['cap', `${details.cap}, ${what}`],
      ['found', `${details.atLeast ? 'at least ' : ''}${amount(details.found, unit)}`],
      ['limit', amount(limit, unit)],
    ],
    paragraphs: [
      details.when === 'recording'
        ? 'Recording stopped there and the live call went on. Nothing was written, a committed file is as it was.'
        : 'It was refused before it was read in full; the file is as it was.',
    ],
    remedies: [
      {
        why: 'If it is meant to be so large, raise the cap',
        command: `caps: { ${details.cap}: ${nextLimit(limit, details.found)} }`,
      },
    ],
  })
}

function amount(count: number, unit: string): string {
  const mebibytes = count / (1024 * 1024)
  const rounded = unit === 'bytes' && mebibytes >= 1 ? ` (${Number(mebibytes.toFixed(1))} MiB)` : ''
  return `${grouped(count)} ${count === 1 ? unit.replace(/s$/, '') : unit}${rounded}`
}

/** The limit doubled until what was found fits. */
function nextLimit(limit: number, found: number): number {
  let next = Math.max(limit, 1)
  while (next < found || next === limit) next *= 2
  return next
}
