/** Path shapes of the model APIs in use; a POST to one of them is a model call, whatever the host. */
const modelPaths: readonly RegExp[] = [
  /\/(?:chat\/)?completions$/,
  /\/responses$/,
  /\/messages$/,
  /:(?:streamG|g)enerateContent$/,
  /:(?:streamRawP|rawP|streamP|p)redict$/,
  /:(?:embedContent|batchEmbedContents|countTokens)$/,
  /\/model\/[^/]+\/(?:converse|converse-stream|invoke|invoke-with-response-stream)$/,
  /\/embeddings$/,
  /\/images\/(?:generations|edits|variations)$/,
  /\/audio\/(?:speech|transcriptions|translations)$/,
  /\/moderations$/,
  /\/api\/(?:chat|generate|embed)$/,
  /\/(?:v1|v2)\/(?:chat|rerank|embed)$/,
]

/** True when the path alone tells: known model APIs and servers that speak like them. */
export function looksLikeModelPath(method: string, url: URL): boolean {
  return method === 'POST' && modelPaths.some((pattern) => pattern.test(url.pathname))
}

/** True when a JSON body tells: it has `model` and one of `messages`, `input`, `contents`. */
export function looksLikeModelBody(method: string, body: Uint8Array | undefined): boolean {
  if (method !== 'POST' || body === undefined || body.length === 0 || !startsLikeObject(body)) return false
  const text = new TextDecoder().decode(body)
  if (!text.includes('"model"')) return false
  try {
    const value: unknown = JSON.parse(text)
    if (typeof value !== 'object' || value === null || !('model' in value)) return false
    return 'messages' in value || 'input' in value || 'contents' in value
  } catch {
    return false // not JSON: no model call that we know
  }
}

const openBrace = 0x7b
const whiteSpace = new Set([0x20, 0x09, 0x0a, 0x0d])

function startsLikeObject(body: Uint8Array): boolean {
  const first = body.find((byte) => !whiteSpace.has(byte))
  return first === openBrace
}
