import type { InteractionKind } from '../cassette/document.ts'

/**
 * Path shapes of the model APIs in use; a POST to one of them is a model call, whatever the host. These continue a
 * conversation or complete a text: a call that is answered is a turn.
 */
const turnPaths: readonly RegExp[] = [
  /\/(?:chat\/)?completions$/,
  /\/responses(?:\/compact)?$/,
  /\/messages$/,
  /:(?:streamG|g)enerateContent$/,
  /:(?:streamRawP|rawP|streamP)redict$/,
  /\/v1(?:alpha|beta)\/interactions$/,
  /\/model\/[^/]+\/(?:converse|converse-stream|invoke|invoke-with-response-stream)$/,
  /\/api\/(?:chat|generate)$/,
  /\/v[12]\/chat$/,
  /\/v1\/complete$/,
]

/** And these turn something into numbers, sound, pictures or verdicts, or only count: no step of a conversation. */
const sidePaths: readonly RegExp[] = [
  /\/embeddings$/,
  /:(?:embedContent|batchEmbedContents|countTokens|predict|predictLongRunning)$/,
  // Linear: what a lookahead has found is not tried anew.
  /\/model\/(?=[^/]*(?:embed|rerank))[^/]+\/invoke$/,
  /\/images\/(?:generations|edits|variations)$/,
  /\/audio\/(?:speech|transcriptions|translations)$/,
  /\/moderations$/,
  /\/messages\/count_tokens$/,
  /\/responses\/input_tokens$/,
  /\/api\/embed$/,
  /\/v[12]\/(?:rerank|embed|classify|tokenize|detokenize|ocr|classifications)$/,
]

const modelPath = oneOf([...turnPaths, ...sidePaths])
const sidePath = oneOf(sidePaths)

function oneOf(patterns: readonly RegExp[]): RegExp {
  return new RegExp(patterns.map(({ source }) => source).join('|'))
}

/** True when the path alone tells: known model APIs and servers that speak like them. */
export function looksLikeModelPath(method: string, url: URL): boolean {
  return method === 'POST' && modelPath.test(url.pathname)
}

/** True for a model call that is a step of a conversation: no embeddings, no speech, no count of tokens. */
export function takesTurn(kind: InteractionKind, url: string): boolean {
  if (kind !== 'model') return false
  const path = url.split(/[?#]/, 1)[0] as string
  return !sidePath.test(path)
}

/** True for what is asked of a response that runs in the background, and for no other call: the id is OpenAI's. */
export function asksForBackground(url: URL): boolean {
  return /\/responses\/resp_[^/]+(?:\/cancel)?$/.test(url.pathname)
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
