/** The answer to a model call that the cassette does not have: every SDK shows its text at once, and none retries it. */
import type { ServedResponse } from '../interception/router.ts'

/**
 * A 400 with one body that each provider's parser finds its message in. `x-should-retry` stops the OpenAI and Anthropic SDKs,
 * `x-amzn-errortype` names an error class that the AWS SDK knows. No other status does: 409 and 5xx are retried by some.
 * `url` is shown as the response's own, and tells which provider's client reads the body.
 */
export function missResponse(message: string, url: string): ServedResponse {
  const bytes = new TextEncoder().encode(JSON.stringify(missBody(message, url)))
  const chunks = [bytes]
  return {
    status: 400,
    statusText: 'Bad Request',
    headers: [
      ['content-type', 'application/json'],
      ['content-length', String(bytes.byteLength)],
      ['x-should-retry', 'false'],
      ['x-amzn-errortype', 'ValidationException'],
    ],
    url,
    redirected: false,
    body: { next: () => chunks.shift(), end: { kind: 'close' } },
  }
}

/** Ollama's client shows the member `error` as it is. */
const textErrorPath = /\/api\/(?:chat|generate|embed)(?:[?#]|$)/

function missBody(message: string, url: string) {
  // A code that is no number hides the message from the AI SDK's Google provider.
  const error = { type: 'cassette_miss', code: 400, message, status: 'INVALID_ARGUMENT' }
  return { type: 'error', message, error: textErrorPath.test(url) ? message : error }
}

/** A bare 204: the answer to telemetry in replay. */
export function noContent(url: string): ServedResponse {
  return { status: 204, statusText: 'No Content', headers: [], url, redirected: false, body: undefined }
}
