import type { CapturedRequest } from '../../src/core/capture/captured-request.ts'
import type { RecordedBody } from '../../src/core/cassette/document.ts'
import type { RedactOptions } from '../../src/redaction/redact-options.ts'
import { createRedactor, type Redactor } from '../../src/redaction/redactor.ts'
import { secretShapes } from '../../src/redaction/secret-shapes.ts'

/** A made-up secret of a kind; put together here so that no scanner takes a test for a leak. */
export function sampleOf(kind: string): string {
  const shape = secretShapes.find((candidate) => candidate.kind === kind)
  if (shape === undefined) throw new TypeError(`no shape ${kind}`)
  return `${shape.sampleLead ?? ''}${shape.starts[0]}${shape.sample}`
}

/** A second secret of the kind of `openai-key`, `n` telling several apart. */
export function openaiKey(n: number): string {
  return `sk-${'proj'}-${String(n).padStart(4, '0')}Zq7Rw2Xn9Kd4Tb6Yh1Mv8Jc3`
}

const folders = { project: '/home/alice/shop', home: '/home/alice', temporary: ['/var/folders/ab/T'] }

export function redactorOf(options?: RedactOptions): Redactor {
  return createRedactor(options === undefined ? folders : { ...folders, options })
}

export function requestOf(
  request: Partial<Omit<CapturedRequest, 'body'>> & { body?: string | Uint8Array },
): CapturedRequest {
  const { body, ...rest } = request
  return {
    method: 'POST',
    url: 'https://api.openai.com/v1/responses',
    headers: [['content-type', 'application/json']],
    road: 'fetch',
    ...rest,
    body: typeof body === 'string' ? new TextEncoder().encode(body) : body,
  }
}

export function textOf(bytes: Uint8Array | undefined): string {
  return new TextDecoder().decode(bytes)
}

/** A body of the given chunks, each with its number as its gap. */
export function bodyOf(chunks: readonly (string | Uint8Array)[]): RecordedBody {
  const bytes = chunks.map((chunk) => (typeof chunk === 'string' ? new TextEncoder().encode(chunk) : chunk))
  return { chunks: bytes.map((chunk, gapMs) => ({ bytes: chunk, gapMs })), end: { kind: 'complete' } }
}

export function joinedText(body: RecordedBody): string {
  return textOf(Buffer.concat(body.chunks.map((chunk) => chunk.bytes)))
}
