/** What a `content-type` says about a body. Only a hint: every encoding is verified against the bytes. */

export type MediaKind = 'json' | 'sse' | 'ndjson' | 'form' | 'multipart' | 'other'

const ndjsonTypes = new Set([
  'application/x-ndjson',
  'application/ndjson',
  'application/jsonl',
  'application/x-jsonl',
  'application/jsonlines',
  'application/x-jsonlines',
  'application/stream+json',
])

/** The essence of a content type: `Text/HTML; charset=utf-8` gives `text/html`; undefined where there is none. */
export function mediaType(contentType: string | undefined): string | undefined {
  const type = contentType?.split(';', 1)[0]?.trim().toLowerCase()
  return type === '' ? undefined : type
}

export function mediaKindOf(contentType: string | undefined): MediaKind {
  // Most are this, to the letter.
  if (contentType === 'application/json') return 'json'
  const type = mediaType(contentType) ?? ''
  if (type === 'text/event-stream') return 'sse'
  if (ndjsonTypes.has(type)) return 'ndjson'
  if (type === 'application/json' || type.endsWith('+json')) return 'json'
  if (type === 'multipart/form-data') return 'multipart'
  if (type === 'application/x-www-form-urlencoded') return 'form'
  return 'other'
}

const extensions: Readonly<Record<string, string>> = {
  'application/gzip': 'gz',
  'application/pdf': 'pdf',
  'application/vnd.amazon.eventstream': 'eventstream',
  'application/zip': 'zip',
  'audio/aac': 'aac',
  'audio/flac': 'flac',
  'audio/mp4': 'm4a',
  'audio/mpeg': 'mp3',
  'audio/ogg': 'ogg',
  'audio/opus': 'opus',
  'audio/wav': 'wav',
  'audio/wave': 'wav',
  'audio/webm': 'weba',
  'audio/x-wav': 'wav',
  'image/avif': 'avif',
  'image/gif': 'gif',
  'image/jpeg': 'jpg',
  'image/png': 'png',
  'image/webp': 'webp',
  'video/mp4': 'mp4',
  'video/webm': 'webm',
}

/** The file name extension of a side file, without the dot; `bin` where nothing better is known. Never `json`. */
export function sideFileExtension(contentType: string | undefined): string {
  const type = mediaType(contentType) ?? ''
  return Object.hasOwn(extensions, type) ? (extensions[type] as string) : 'bin'
}
