import { mediaKindOf } from '../cassette/media-type.ts'

/** True for an answer that comes in events or other pieces: whatever is not one JSON value. */
export function isStreamed(answer: {
  readonly url: string
  readonly headers: readonly (readonly [name: string, value: string])[]
}): boolean {
  const contentType = answer.headers.find(([name]) => name === 'content-type')?.[1]
  // Gemini without events streams the elements of one JSON array.
  return mediaKindOf(contentType) !== 'json' || /:streamGenerateContent(?:[?#]|$)/.test(answer.url)
}
