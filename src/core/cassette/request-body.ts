/** The stored form of a request body (F6): its bytes need not come back, its canonical form must. */
import { contentHash } from './content-hash.ts'
import type { MultipartPart, RequestBody } from './document.ts'
import { parseExact } from './json-text.ts'
import { mediaKindOf } from './media-type.ts'
import { nativeResponse } from './native-response.ts'
import { isBinary, storeText, textOf, utf8Of } from './stored-text.ts'

/** Text content of a multipart part up to this size is kept as it is; larger or binary content by its hash. */
const maxInlinePartBytes = 4096

/**
 * @param bytes the whole body, redacted
 * @param contentType as sent; a multipart boundary that it lacks is taken from the body
 */
export async function encodeRequestBody(bytes: Uint8Array, contentType: string | undefined): Promise<RequestBody> {
  const kind = mediaKindOf(contentType)
  if (kind === 'multipart') {
    const parts = await readParts(bytes, contentType)
    if (parts !== undefined) return { parts }
  }
  const text = utf8Of(bytes)
  if (text === undefined) return { sha256: contentHash(bytes), bytes: bytes.byteLength }
  // By looking, too: not every client names its JSON. A bare scalar is JSON only where the client says so.
  if (kind === 'json' || (kind !== 'form' && /^\s*[[{]/.test(text))) {
    const exact = parseExact(text, bytes)
    if (exact.ok) return { json: exact.value }
  }
  return isBinary(text) ? { sha256: contentHash(bytes), bytes: bytes.byteLength } : storeText(text)
}

/** The parts in their order, without the envelope; undefined where the body is no multipart that can be read. */
async function readParts(
  bytes: Uint8Array,
  contentType: string | undefined,
): Promise<readonly MultipartPart[] | undefined> {
  const boundary = /boundary=/i.test(contentType ?? '') ? undefined : boundaryOf(bytes)
  const type = boundary === undefined ? (contentType ?? '') : `multipart/form-data; boundary=${boundary}`
  try {
    const NativeResponse = nativeResponse()
    const form = await new NativeResponse(bytes.slice(), { headers: { 'content-type': type } }).formData()
    return await Promise.all([...form].map(([name, value]) => storePart(name, value)))
  } catch {
    // Not readable as multipart: it is stored as what its bytes are, text or binary.
    return undefined
  }
}

async function storePart(name: string, value: string | File): Promise<MultipartPart> {
  if (typeof value === 'string') return { name, ...storePartContent(new TextEncoder().encode(value)) }
  const content = storePartContent(new Uint8Array(await value.arrayBuffer()))
  return { name, filename: value.name, ...(value.type !== '' && { type: value.type }), ...content }
}

function storePartContent(bytes: Uint8Array): Pick<MultipartPart, 'text' | 'sha256' | 'bytes'> {
  const text = bytes.byteLength <= maxInlinePartBytes ? textOf(bytes) : undefined
  return text === undefined ? { sha256: contentHash(bytes), bytes: bytes.byteLength } : { text }
}

function boundaryOf(bytes: Uint8Array): string | undefined {
  return /^--([^\r\n]{1,200})\r?\n/.exec(Buffer.from(bytes.subarray(0, 256)).toString('latin1'))?.[1]
}
