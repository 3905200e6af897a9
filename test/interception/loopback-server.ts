/** A real HTTP server on a loopback port, for tests: what it answers is the test's business, what it saw it remembers. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'

export interface SeenRequest {
  readonly method: string
  readonly path: string
  readonly headers: IncomingMessage['headers']
  readonly body: Buffer
}

export interface LoopbackServer {
  readonly url: string
  readonly port: number
  readonly seen: SeenRequest[]
  readonly server: Server
}

export type Answer = (request: SeenRequest, response: ServerResponse) => void | Promise<void>

/** Listens until the test is over; connections that are still open then are cut. */
export async function loopbackServer(answer: Answer): Promise<LoopbackServer> {
  const seen: SeenRequest[] = []
  const server = createServer(async (incoming, response) => {
    const pieces: Buffer[] = []
    for await (const piece of incoming) pieces.push(piece)
    const request = {
      method: incoming.method ?? '',
      path: incoming.url ?? '',
      headers: incoming.headers,
      body: Buffer.concat(pieces),
    }
    seen.push(request)
    await answer(request, response)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const { port } = server.address() as AddressInfo
  return { url: `http://127.0.0.1:${port}`, port, seen, server }
}

/** Resolves when the client's connection of this response is gone. */
export function whenClosed(response: ServerResponse): Promise<void> {
  return new Promise((resolve) => response.on('close', resolve))
}

/** A turn of the event loop and a little more: lets bytes cross the loopback. */
export function settle(ms = 20): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms))
}

/** Waits for something that another part of the process brings about; fails the test by its timeout. */
export async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await settle(2)
}
