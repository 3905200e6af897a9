/** A real HTTP/2 server on a loopback port, in the clear or over TLS, for tests. */
import http2, { type IncomingHttpHeaders, type ServerHttp2Session, type ServerHttp2Stream } from 'node:http2'
import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'
import { selfSigned } from '../clients/self-signed.ts'

export interface SeenStream {
  readonly headers: IncomingHttpHeaders
  readonly body: Buffer
}

export interface Http2Server {
  readonly url: string
  readonly port: number
  readonly seen: SeenStream[]
  /** Connections so far. */
  readonly sessions: ServerHttp2Session[]
}

export type StreamAnswer = (stream: ServerHttp2Stream, request: SeenStream) => void | Promise<void>

/** Listens until the test is over; connections that are still open then are cut. */
export async function http2Server(answer: StreamAnswer, { tls = false } = {}): Promise<Http2Server> {
  const seen: SeenStream[] = []
  const sessions: ServerHttp2Session[] = []
  const server = tls ? http2.createSecureServer(selfSigned()) : http2.createServer()
  server.on('session', (session: ServerHttp2Session) => {
    sessions.push(session)
    session.on('error', () => {})
  })
  server.on('stream', (stream: ServerHttp2Stream, headers: IncomingHttpHeaders) => {
    stream.on('error', () => {})
    const pieces: Buffer[] = []
    stream.on('data', (piece: Buffer) => pieces.push(piece))
    stream.once('end', () => {
      const request = { headers, body: Buffer.concat(pieces) }
      seen.push(request)
      void answer(stream, request)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    for (const session of sessions) session.destroy()
    server.close()
  })
  const { port } = server.address() as AddressInfo
  return { url: `${tls ? 'https' : 'http'}://127.0.0.1:${port}`, port, seen, sessions }
}
