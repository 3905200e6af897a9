/** What the ready normalisers share: they rewrite text, wherever a request holds some. */
import { ExactNumber } from '../hashing/exact-number.ts'
import type { NormalisedRequest } from './normaliser.ts'
import { rewriteJson } from './rewrite-json.ts'

/** Passes the URL, every header value and every string of the body through `rewrite`, in this order; names stay. */
export function rewriteTexts(request: NormalisedRequest, rewrite: (text: string) => string): NormalisedRequest {
  const url = rewrite(request.url)
  const headers: Record<string, string> = {}
  for (const name of Object.keys(request.headers).sort()) headers[name] = rewrite(request.headers[name] ?? '')
  return { ...request, url, headers, body: rewriteBodyTexts(request.body, rewrite) }
}

/** The same for a body alone; `rewrite` is told the member that holds the string. */
function rewriteBodyTexts(
  body: NormalisedRequest['body'],
  rewrite: (text: string, name: string | undefined) => string,
): NormalisedRequest['body'] {
  if (body === undefined) return undefined
  return rewriteJson(body, (leaf, name) => {
    if (leaf instanceof ExactNumber) return leaf.text
    return typeof leaf === 'string' ? rewrite(leaf, name) : leaf
  })
}
