import { mediaKindOf } from '../core/cassette/media-type.ts'
import type { TextForm } from './find-patterns.ts'

/** Whether a body holds JSON: by its content type, or by looking. */
export function textFormOf(text: string, contentType: string | undefined): TextForm {
  switch (mediaKindOf(contentType)) {
    case 'json':
    case 'sse':
    case 'ndjson':
      return 'json'
    case 'form':
      return 'text'
    case 'multipart':
    case 'other':
      return /^\ufeff?\s*(?:[{[]|data:|event:)/.test(text.slice(0, 1000)) ? 'json' : 'text'
  }
}
