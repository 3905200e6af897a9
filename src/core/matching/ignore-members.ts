/** `ignoreMembers`: the normaliser for members of the body that do not count. */
import { parseMemberPath, rewriteAt } from './member-path.ts'
import type { Normaliser } from './normaliser.ts'
import { ready } from './ready-normaliser.ts'

/**
 * Removes members of a JSON body before comparing: `ignoreMembers('user', 'metadata.*', 'messages[*].name')`.
 * `*` is every member, `[*]` every element, `[0]` the first one; a name with dots is written `["a.b"]`.
 * Throws TURNTAPE_INVALID_OPTION at once for a path that cannot be read.
 */
export function ignoreMembers(...memberPaths: readonly string[]): Normaliser {
  const parsed = memberPaths.map(parseMemberPath)
  return ready('ignoreMembers', memberPaths, (request) => {
    if (request.body === undefined) return request
    const body = parsed.reduce((current, path) => rewriteAt(current, path, () => undefined), request.body)
    return { ...request, body }
  })
}
