/** The answer to a model call that the cassette does not have: every SDK shows its text at once, and none retries it. */
import type { ServedResponse } from '../interception/router.ts'

/**
 * A 400 with one body that each provider's parser finds its message in. `x-should-retry` stops the OpenAI and Anthropic SDKs,
 * `x-amzn-errortype` names an error class that the AWS SDK knows. No other status does: 409 and 5xx are retried by some.
 * `url` is shown as the response's own.
 */
export function missResponse(message: string, url = ''): ServedResponse {
  const bytes = new TextEncoder().encode(JSON.stringify(missBody(message)))
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

function missBody(message: string) {
  return {
    type: 'error',
    message,
    error: { type: 'cassette_miss', code: 'cassette_miss', message, status: 'INVALID_ARGUMENT' },
  }
}

/** A bare 204: the answer to telemetry in replay. */
export function noContent(url: string): ServedResponse {
  return { status: 204, statusText: 'No Content', headers: [], url, redirected: false, body: undefined }
}
