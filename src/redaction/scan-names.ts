import { findAssignments } from './find-assignments.ts'
import { createMemberFinder } from './find-members.ts'
import { decodeQuery, findUrlSecrets } from './find-url-secrets.ts'
import { isPlaceholder, placeholdersIn } from './placeholder.ts'
import type { PlacedText } from './scan-texts.ts'
import { isSecretMember, isSecretQuery, kindOfName } from './secret-names.ts'
import { outside } from './span.ts'

const findMembers = createMemberFinder([])

/** Kinds of the secrets in a text that only their names tell. `owner`: given where the text is the very string of a place. */
export function namedSecrets(text: string, owner?: PlacedText): string[] {
  const own = owner === undefined ? [] : [...byMember(text, owner), ...byQuery(text, owner)]
  const spans = [...findMembers(text), ...findUrlSecrets(text), ...findAssignments(text)]
  const open = spans.length === 0 ? [] : outside(spans, placeholdersIn(text))
  return [...new Set([...own, ...open.map(({ kind }) => kind)])]
}

function byMember(text: string, { name }: PlacedText): string[] {
  if (name === undefined || text === '' || isPlaceholder(text) || !isSecretMember(name)) return []
  return [kindOfName(name)]
}

const urlPointer = /^\/interactions\/\d+\/(?:request|response)\/url$/

function byQuery(text: string, { pointer }: PlacedText): string[] {
  if (pointer === undefined || !urlPointer.test(pointer)) return []
  return text
    .slice(text.search(/[?#]|$/) + 1)
    .split(/[&?#]/)
    .flatMap((pair) => {
      const [, name, value] = /^([^=]*)=(.+)$/s.exec(pair) ?? []
      if (name === undefined || value === undefined || isPlaceholder(value)) return []
      const decoded = decodeQuery(name)
      return isSecretQuery(decoded) ? [kindOfName(decoded)] : []
    })
}
