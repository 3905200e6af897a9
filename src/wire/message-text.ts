import type { Json } from '../core/cassette/document.ts'
import { objectsOf, stringOf } from './read-json.ts'

/** The text of a message's content: a string, or the texts of its parts. */
export function messageText(content: Json | undefined): string {
  if (typeof content === 'string') return content
  return objectsOf(content)
    .flatMap((part) => stringOf(part.text) ?? [])
    .join('\n')
}
