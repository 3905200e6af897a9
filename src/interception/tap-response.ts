/**
 * Watches a live response on its way to the caller. One reader, re-exposed with a high-water mark of 0: a chunk is pulled
 * when the caller pulls, so back-pressure, cancellation and timing stay the caller's own. Never `tee()` or `clone()`:
 * both read the server dry for the slower branch, and keep it sending after the caller has gone.
 */
import { ReadableStream, type ReadableStreamDefaultReader } from 'node:stream/web'
import { closeByteStream } from './byte-stream.ts'
import { buildableStatus, dressResponse } from './dress-response.ts'
import type { ExchangeObserver } from './router.ts'

interface TappedExchange {
  readonly response: Response
  readonly observer: ExchangeObserver
  /** The caller's signal: tells a failure of the network from his own abort. */
  readonly signal: AbortSignal | undefined
}

/** A response without a body is given back as it is. */
export function tapResponse({ response, observer, signal }: TappedExchange): Response {
  const { status, statusText, url, redirected, type, body } = response
  const headers = [...response.headers]
  observer.head({ status, statusText, url, redirected, headers, hasBody: body !== null })
  if (body === null) {
    observer.end()
    return response
  }
  // Where node-fetch took the place of fetch, the body is a Node stream.
  const stream = 'getReader' in body ? body : ReadableStream.from<Uint8Array>(body)
  const tapped = tapBody({ body: stream, observer, signal })
  const rebuilt = new Response(tapped, { status: buildableStatus(status), statusText, headers })
  return dressResponse(rebuilt, { url, redirected, type, status })
}

function tapBody({ body, observer, signal }: Omit<TappedExchange, 'response'> & { readonly body: ReadableStream }) {
  const reader: ReadableStreamDefaultReader<Uint8Array> = body.getReader()
  const settle = once()
  return new ReadableStream({
    // A byte stream, as fetch's own: a BYOB reader goes on working.
    type: 'bytes',
    start(controller) {
      reader.closed.catch((error) => {
        settle(() => (signal?.aborted ? observer.cancel(error) : observer.fail(error)))
        controller.error(error)
      })
    },
    async pull(controller) {
      observer.reading(true)
      const bytes = await readChunk(reader).finally(() => observer.reading(false))
      if (bytes !== undefined) {
        observer.chunk(bytes)
        // A copy: the caller's chunk may be changed or transferred, the observer's must stay.
        controller.enqueue(new Uint8Array(bytes))
      } else {
        settle(() => {
          observer.end()
          closeByteStream(controller)
        })
      }
    },
    cancel(reason) {
      settle(() => observer.cancel(reason))
      return reader.cancel(reason)
    },
  })
}

/** The next chunk that holds anything; undefined at the end. */
async function readChunk(reader: ReadableStreamDefaultReader<Uint8Array>): Promise<Uint8Array | undefined> {
  for (;;) {
    const { done, value } = await reader.read()
    if (done) return undefined
    if (value.byteLength > 0) return value
  }
}

/** Runs the first ending only: an exchange ends once. */
function once(): (ending: () => void) => void {
  let ended = false
  return (ending) => {
    if (ended) return
    ended = true
    ending()
  }
}
