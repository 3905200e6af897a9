import type { Cassette } from '../core/cassette/document.ts'

/** Where a reader finds something in a cassette: `interaction 3, response body, event 12 /choices/0/delta/content`. */
export function placeOf(cassette: Cassette, pointer: string): string {
  const [, index, rest = ''] = /^\/interactions\/(\d+)(.*)$/s.exec(pointer) ?? []
  if (index === undefined) return pointer === '/test' ? "the test's name" : `the header ${pointer}`.trimEnd()
  const interaction = cassette.interactions[Number(index)]
  return `interaction ${interaction?.number ?? Number(index) + 1}${partOf(rest, headerName(interaction, rest))}`
}

const parts: readonly (readonly [RegExp, string])[] = [
  [/^\/request\/url/, ', request URL'],
  [/^\/request\/headers\/?/, ', request header '],
  [/^\/request\/body\/(?:json|text|lines)/, ', request body '],
  [/^\/request\/body/, ', request body '],
  [/^\/request\/input/, ', input '],
  [/^\/request/, ', request '],
  [/^\/response\/url/, ', response URL'],
  [/^\/response\/body\/(?:json|text|lines|base64)/, ', response body '],
  [/^\/response\/body/, ', response body '],
  [/^\/response/, ', response '],
  [/^\/result\/value/, ', result '],
  [/^\/result/, ', result '],
  [/^\/failure/, ', failure '],
  [/^\//, ', /'],
]

function partOf(rest: string, header: string | undefined): string {
  if (header !== undefined) return `, response header ${header}`
  const [, owner, kind, index, inside] =
    /^\/(response\/body|result)\/(event|element)s\/(\d+)(?:\/(?:data|text|raw))?(.*)$/s.exec(rest) ?? []
  if (owner !== undefined) return `, ${owner.replace('/', ' ')}, ${kind} ${Number(index) + 1} ${inside ?? ''}`.trimEnd()
  const known = parts.find(([pattern]) => pattern.test(rest))
  return known === undefined ? '' : rest.replace(known[0], known[1]).trimEnd()
}

/** Response headers are pairs: a pointer names them by number only. */
function headerName(interaction: Cassette['interactions'][number] | undefined, rest: string): string | undefined {
  const index = /^\/response\/headers\/(\d+)/.exec(rest)?.[1]
  if (index === undefined || interaction === undefined || !('response' in interaction)) return undefined
  return interaction.response?.headers[Number(index)]?.[0]
}
