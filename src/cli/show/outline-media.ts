/** An image, a sound or a file of a message in a few words: what it is, and how large or where. Never its content. */
import type { Json } from '../../core/cassette/document.ts'
import { counted } from '../../errors/messages/compose-message.ts'
import { isObject, textAt } from './outline.ts'

/** `[image, image/png, 68 bytes]`; undefined for a part that is no medium of the known APIs. */
export function mediaText(part: Json): string | undefined {
  if (!isObject(part)) return undefined
  const holder = holders.map((name) => part[name]).find((value) => value !== undefined)
  if (holder === undefined) return undefined
  const found = typeof holder === 'string' ? { url: holder } : holder
  const url = firstText(found, ['url', 'fileUri', 'file_uri'])
  const [, inUrl, urlData] = /^data:([^;,]*)(?:;[^,]*)?,(.*)$/s.exec(url) ?? []
  const data = urlData ?? firstText(found, ['data', 'file_data'])
  const type = inUrl ?? firstText(found, ['media_type', 'mimeType', 'mime_type', 'format'])
  const name = firstText(found, ['filename', 'file_id', 'displayName'])
  const where = url !== '' && urlData === undefined ? url : ''
  return mediaWords([wordOf(part), type, name, data === '' ? where : sizeOf(data)])
}

/** Of a medium in an answer. */
export function mediaWords(words: readonly (string | undefined)[]): string {
  return `[${words.filter((word) => word !== undefined && word !== '').join(', ')}]`
}

/** Of base64. */
export function sizeOf(data: string): string {
  return counted(Buffer.byteLength(data, 'base64'), 'byte')
}

/** Members that hold a medium, of the APIs that we know. */
const holders = [
  'image_url',
  'input_audio',
  'source',
  'inlineData',
  'inline_data',
  'fileData',
  'file_data',
  'file',
  'audio',
] as const

/** `input_image`, `image_url` and `image` are an image; Gemini names no kind beside the type. */
function wordOf(part: Json): string {
  return textAt(part, 'type').replace(/^input_|_url$/g, '')
}

function firstText(value: Json, names: readonly string[]): string {
  return names.map((name) => textAt(value, name)).find((text) => text !== '') ?? ''
}
