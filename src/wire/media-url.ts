import type { MediaBlock } from './block.ts'

/** Media at a URL; a `data:` URL is taken apart. */
export function mediaOfUrl(url: string): MediaBlock {
  const match = /^data:([^;,]*);base64,/.exec(url)
  if (match === null) return { kind: 'media', url }
  const [head, type = ''] = match
  return { kind: 'media', ...(type !== '' && { type }), data: url.slice(head.length) }
}
