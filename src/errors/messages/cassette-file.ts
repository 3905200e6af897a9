import type { ErrorDetails } from '../codes.ts'
import { cassetteCommand, checkoutCommand } from '../commands.ts'
import { elide, elideMiddle } from '../elide.ts'
import { composeMessage, quoted } from './compose-message.ts'

/** TURNTAPE_STORE_CONFLICT: another process wrote the file since it was read. */
export function storeConflictMessage({ cassette, pendingPath }: ErrorDetails['TURNTAPE_STORE_CONFLICT']): string {
  return composeMessage({
    headline: `Not written, the cassette changed on disk meanwhile: ${elideMiddle(cassette, 80)}`,
    facts: [
      ['cassette', cassette],
      ['kept at', pendingPath ?? 'nowhere, the recording is lost'],
    ],
    paragraphs: [
      'Another run or an editor changed the file after this test had read it. The file on disk is as they left it.',
    ],
    remedies: [{ why: 'To take this recording instead', command: cassetteCommand('accept', cassette) }],
  })
}

/** TURNTAPE_STORE_FAILED: the file system said no. */
export function storeFailedMessage({ cassette, pendingPath, reason }: ErrorDetails['TURNTAPE_STORE_FAILED']): string {
  return composeMessage({
    headline: `The cassette could not be written: ${elideMiddle(cassette, 90)}`,
    facts: [
      ['cassette', cassette],
      ['reason', reason],
      ['kept at', pendingPath ?? 'nowhere, the recording is lost'],
    ],
    paragraphs: ['A committed file is as it was.'],
    remedies:
      pendingPath === undefined
        ? []
        : [
            {
              why: 'With the cause removed, take the recording that was kept',
              command: cassetteCommand('accept', cassette),
            },
          ],
  })
}

/** TURNTAPE_CASSETTE_INVALID: names the file, the place and the reason. */
export function cassetteInvalidMessage(details: ErrorDetails['TURNTAPE_CASSETTE_INVALID']): string {
  const { cassette, line, column, pointer } = details
  const position = line === undefined ? '' : `:${line}${column === undefined ? '' : `:${column}`}`
  return composeMessage({
    headline: `Not a valid cassette: ${elideMiddle(cassette, 100)}${position}`,
    facts: [
      ['cassette', cassette],
      ['place', placeOf(details)],
      ['pointer', pointer === '' ? 'the document itself' : pointer],
      ['reason', details.reason],
    ],
    remedies: details.remedies ?? [
      { why: 'To see all that is wrong with it', command: cassetteCommand('check', cassette) },
    ],
  })
}

function placeOf({ line, column }: ErrorDetails['TURNTAPE_CASSETTE_INVALID']): string | undefined {
  if (line === undefined) return undefined
  return column === undefined ? `line ${line}` : `line ${line}, column ${column}`
}

/** TURNTAPE_CASSETTE_TOO_NEW: written by a later release. */
export function cassetteTooNewMessage({
  cassette,
  found,
  supported,
  requires,
}: ErrorDetails['TURNTAPE_CASSETTE_TOO_NEW']): string {
  return composeMessage({
    headline: `The cassette is newer than this turntape: ${elideMiddle(cassette, 90)}`,
    facts: [
      ['cassette', cassette],
      ['pointer', requires === undefined ? '/format' : '/requires'],
      ['its format', elide(found, 60)],
      ['it requires', requires && elide(requires.map((name) => quoted(name, 40)).join(', '), 120)],
      ['supported', requires === undefined ? `up to ${elide(supported, 60)}` : `${elide(supported, 60)} without that`],
    ],
    remedies: [
      { why: 'Install the release that wrote it, or a later one', command: 'npm install --save-dev turntape@latest' },
    ],
  })
}

/** TURNTAPE_CASSETTE_EDITED: a stored request no longer gives the hash that stands beside it. */
export function cassetteEditedMessage(details: ErrorDetails['TURNTAPE_CASSETTE_EDITED']): string {
  return composeMessage({
    headline: `The request of interaction ${details.interaction} was edited: ${elideMiddle(details.cassette, 80)}`,
    facts: [
      ['cassette', details.cassette],
      ['its hash', elide(details.expected, 64)],
      ['computed', elide(details.found, 64)],
    ],
    paragraphs: [
      'The stored request no longer gives the hash stored beside it, so it is not what was sent when it was recorded.',
    ],
    remedies: [
      {
        why: 'If the edit is meant, hash it again (the cassette is then marked as derived)',
        command: cassetteCommand('check --fix', details.cassette),
      },
      { why: 'Or put back what was committed', command: checkoutCommand('--', details.cassette) },
    ],
  })
}
