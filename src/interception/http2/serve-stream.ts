/** Serves a recorded answer on a stream, without network: one frame of data a chunk. */
import type { ClientHttp2Stream, OutgoingHttpHeaders, ServerHttp2Stream } from 'node:http2'
import { setImmediate } from 'node:timers'
import type { ServedBody, ServedResponse } from '../router.ts'
import { failStream } from './end-stream.ts'
import { writePiece } from './write-piece.ts'

// Bound here: a test's fake timers replace what modules export later on.
const afterThisTask = setImmediate

interface Serving {
  readonly client: ClientHttp2Stream
  readonly server: ServerHttp2Stream
  readonly response: ServedResponse
}

export async function serveStream({ client, server, response }: Serving): Promise<void> {
  const { body } = response
  let isOver = false
  client.once('close', () => {
    if (!isOver) body?.cancelled?.()
    isOver = true
  })
  try {
    server.respond(headersOf(response), { endStream: body === undefined, ...withoutDate })
    if (body === undefined) return
    while (!isOver) {
      const chunk = await body.next()
      if (chunk === undefined) break
      if (chunk.byteLength > 0) await writePiece(server, chunk)
      // So that the caller takes it before the next one comes.
      await new Promise<void>((resolve) => afterThisTask(resolve))
    }
    if (!isOver) isOver = endStream({ client, server, body })
  } catch (error) {
    isOver = true
    failStream(client, error)
  }
}

/** False: it stays open until its caller leaves. */
function endStream({ client, server, body }: Omit<Serving, 'response'> & { readonly body: ServedBody }): boolean {
  switch (body.end.kind) {
    case 'close':
      server.end()
      return true
    case 'error':
      failStream(client, body.end.error)
      return true
    case 'hang':
      // Whether the caller reads on cannot be seen here: his end reads ahead of him. So no `readPast`.
      return false
  }
}

/** Node adds the time of day otherwise. */
const withoutDate = { sendDate: false }

/** What HTTP/2 refuses to carry: a recording may come from HTTP/1.1. */
const ofConnections = new Set([
  'connection',
  'http2-settings',
  'keep-alive',
  'proxy-connection',
  'transfer-encoding',
  'upgrade',
])

function headersOf({ status, headers }: ServedResponse): OutgoingHttpHeaders {
  const all: Record<string, string | string[] | number> = { ':status': status }
  for (const [name, value] of headers) {
    if (ofConnections.has(name)) continue
    const before = all[name]
    if (before === undefined) all[name] = value
    else if (name === 'set-cookie') all[name] = [before, value].flat() as string[]
    else all[name] = `${String(before)}, ${value}`
  }
  return all
}
