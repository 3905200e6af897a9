import type { ServerHttp2Stream } from 'node:http2'

/** Settles when the piece has gone, as far as the caller's window lets it, or nobody is there to take it. */
export async function writePiece(server: ServerHttp2Stream, bytes: Uint8Array): Promise<void> {
  if (server.destroyed || server.writableEnded) return
  await new Promise<void>((resolve) => {
    server.once('close', resolve)
    server.write(bytes, () => {
      server.removeListener('close', resolve)
      resolve()
    })
  })
}
