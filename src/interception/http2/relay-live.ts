/**
 * Hands what comes on a live stream to the caller's, piece by piece and in the same order. A piece is taken when the one
 * before has gone: so cut points and back-pressure stay what they are.
 */

import type { ClientHttp2Stream, IncomingHttpHeaders, ServerHttp2Stream } from 'node:http2'
import type { ExchangeWatch } from '../exchange-watch.ts'
import type { HeaderPairs } from '../header-pairs.ts'
import { endByCaller, failStream, streamError } from './end-stream.ts'
import { writePiece } from './write-piece.ts'

interface Relay {
  readonly client: ClientHttp2Stream
  readonly server: ServerHttp2Stream
  /** The live one. */
  readonly sent: ClientHttp2Stream
  readonly watch: ExchangeWatch | undefined
}

const endStreamFlag = 1

export function relayLive({ client, server, sent, watch }: Relay): void {
  let isOver = false
  const finish = (end: () => void): void => {
    if (isOver) return
    isOver = true
    end()
  }
  let trailers: IncomingHttpHeaders = {}
  server.on('wantTrailers', () => server.sendTrailers(trailers))
  sent.on('headers', (headers) => server.additionalHeaders(headers))
  sent.on('trailers', (received: IncomingHttpHeaders) => {
    trailers = received
  })
  sent.on('response', (headers, flags, ...rest: unknown[]) => {
    const [raw = []] = rest as [string[]?]
    const status = headers[':status'] ?? 200
    watch?.head(status, pairsOf(raw), '')
    const isBodiless = (flags & endStreamFlag) !== 0
    if (server.destroyed) return
    server.respond(headers, { endStream: isBodiless, waitForTrailers: !isBodiless, ...withoutDate })
    void goOn(watch, sent)
  })
  sent.on('data', (bytes: Uint8Array) => {
    watch?.data(bytes)
    sent.pause()
    void writePiece(server, bytes).then(() => goOn(watch, sent))
  })
  sent.on('end', () => {
    if (sent.rstCode !== 0 || sent.aborted) return
    finish(() => watch?.end())
    server.end()
  })
  sent.on('error', (error) => {
    finish(() => watch?.fail(error, false))
    failStream(client, error)
  })
  sent.on('close', () => {
    const code = sent.rstCode ?? 0
    finish(() => watch?.fail(streamError(code), false))
    if (code !== 0 && !client.closed) failStream(client, streamError(code))
  })
  client.once('close', () => {
    finish(() => watch?.fail(endByCaller(client), true))
    if (!sent.closed) sent.close(client.rstCode ?? 0)
  })
}

/** What the server did not send is not added. */
const withoutDate = { sendDate: false }

/** The next piece, once nobody holds it. */
async function goOn(watch: ExchangeWatch | undefined, sent: ClientHttp2Stream): Promise<void> {
  const ready = watch?.ready()
  if (ready !== undefined) {
    sent.pause()
    await ready
  }
  if (!sent.destroyed) sent.resume()
}

/** Name and value by turns. */
function pairsOf(raw: readonly string[]): HeaderPairs {
  const pairs: [string, string][] = []
  for (let index = 0; index + 1 < raw.length; index += 2) {
    const name = (raw[index] as string).toLowerCase()
    if (!name.startsWith(':')) pairs.push([name, raw[index + 1] as string])
  }
  return pairs
}
