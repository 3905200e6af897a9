/** What a stream may take in the file (F9): its bytes and a kilobyte, cuts and gaps apart, since no form can do without those. */
import type { BodyContent, Json } from './document.ts'
import { quoteJson } from './json-lines.ts'
import { packBody } from './pack-cassette.ts'
import { layResponseBody } from './write-body.ts'

/** Beyond its own bytes. */
const mostAddedBytes = 1024

/** True where the lines of this content take no more than the bytes it stands for and a kilobyte. */
export function isWithinBound(content: BodyContent, rawBytes: number): boolean {
  const most = rawBytes + mostAddedBytes
  return ('events' in content && unfoldedBytes(content) <= most) || contentBytes(content) <= most
}

/** Bytes of the lines that the content adds to its cassette. */
function contentBytes(content: BodyContent): number {
  return Buffer.byteLength(layResponseBody(packBody(content))) + memberBytes
}

/** `,`, a line end, the margin and the name of the member. */
const memberBytes = ',\n        "body": '.length

/** At least what the content takes, told without folding its events: short streams need no more. */
function unfoldedBytes(content: Extract<BodyContent, { events: unknown }>): number {
  return (
    Buffer.byteLength(quoteJson(content as unknown as Json)) + content.events.length * eventMarginBytes + frameBytes
  )
}

/** The margin of an event's line, and its line end. */
const eventMarginBytes = 13

/** More than the line ends, margins and blanks round all other members. */
const frameBytes = 400
