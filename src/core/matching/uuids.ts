/** `uuids`: the normaliser for UUIDs made at random. */
import type { Normaliser } from './normaliser.ts'
import { ready } from './ready-normaliser.ts'
import { rewriteTexts } from './rewrite-texts.ts'

const uuidPattern = /(?<![0-9a-z-])[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}(?![0-9a-z-])/gi

/**
 * Replaces each UUID by `<uuid 1>`, `<uuid 2>` in the order they first appear in the request, so that two requests are
 * equal up to renaming: where the recording used one UUID twice, two different ones are a difference.
 */
export function uuids(): Normaliser {
  return ready('uuids', [], (request) => {
    const seen = new Map<string, string>()
    return rewriteTexts(request, (text) =>
      text.replace(uuidPattern, (uuid) => {
        const key = uuid.toLowerCase()
        const name = seen.get(key) ?? `<uuid ${seen.size + 1}>`
        seen.set(key, name)
        return name
      }),
    )
  })
}
