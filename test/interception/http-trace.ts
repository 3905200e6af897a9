/** What the caller of `node:http` is shown of one exchange, event by event, in order. */
import type { ClientRequest, IncomingMessage } from 'node:http'

export type Reading = 'flowing' | 'iterated' | 'left after one chunk' | 'ignored'

const requestEvents = ['socket', 'finish', 'continue', 'timeout', 'abort', 'upgrade', 'drain'] as const

/** Resolves when the request is closed, and its response, if there was one. */
export async function traceOf(request: ClientRequest, reading: Reading = 'flowing'): Promise<readonly string[]> {
  const seen: string[] = []
  let message: Promise<unknown> = Promise.resolve()
  for (const event of requestEvents) request.on(event, () => seen.push(event))
  request.on('error', (error) => seen.push(`error ${describe(error)}`))
  request.on('response', (response) => {
    seen.push(`response ${response.statusCode} ${response.statusMessage}`)
    message = readMessage(response, reading, seen)
  })
  await new Promise<void>((resolve) =>
    request.on('close', () => {
      seen.push('close')
      resolve()
    }),
  )
  await message
  return seen
}

async function readMessage(response: IncomingMessage, reading: Reading, seen: string[]): Promise<void> {
  const closed = new Promise<void>((resolve) =>
    response.on('close', () => {
      seen.push(`response closed${response.complete ? '' : ', incomplete'}`)
      resolve()
    }),
  )
  response.on('aborted', () => seen.push('response aborted'))
  response.on('error', (error) => seen.push(`response error ${describe(error)}`))
  response.on('end', () => seen.push('response end'))
  if (reading === 'flowing') response.on('data', (chunk) => seen.push(`data ${chunk}`))
  else if (reading === 'ignored') response.resume()
  else await iterate(response, reading, seen)
  await closed
}

async function iterate(response: IncomingMessage, reading: Reading, seen: string[]): Promise<void> {
  try {
    for await (const chunk of response) {
      seen.push(`data ${chunk}`)
      if (reading === 'left after one chunk') break
    }
  } catch {
    // Shown as the event it is.
  }
}

function describe(error: Error): string {
  const { name, message, code, syscall } = error as NodeJS.ErrnoException
  return [name, message.replace(/:\d{4,5}\b/g, ':port'), code, syscall].filter(Boolean).join(', ')
}
