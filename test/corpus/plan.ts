import { gunzipSync } from 'node:zlib'
import { type CorpusExchange, corpusFiles, loadExchanges } from './corpus.ts'

/** One request as a project's test sends it with plain fetch. */
export interface PlannedRequest {
  readonly method: string
  readonly path: string
  readonly headers: readonly (readonly [name: string, value: string])[]
  /** base64 */
  readonly body?: string
}

export interface PlannedFile {
  readonly file: string
  readonly requests: readonly PlannedRequest[]
  /** The bodies of the file's exchanges, decoded, by their index in the file. */
  readonly bodies: readonly Uint8Array[]
}

/** Headers that belong to the connection or to the recording client, and those that fetch refuses. */
const notSent =
  /^(?:host|connection|content-length|content-encoding|transfer-encoding|accept-encoding|expect|keep-alive|te|trailer|upgrade|cookie|x-amz-.*|:.*)$/i

/** Every exchange of the corpus whose response body has at most this many bytes; `leftOut` counts the others. */
export async function planCorpus(maxBodyBytes = Number.POSITIVE_INFINITY): Promise<{
  readonly files: readonly PlannedFile[]
  readonly requests: number
  readonly leftOut: number
}> {
  const files: PlannedFile[] = []
  let leftOut = 0
  for (const file of corpusFiles()) {
    const exchanges = await loadExchanges(file)
    const bodies = exchanges.map(decodedBody)
    const fitting = exchanges.filter((_, index) => (bodies[index] as Uint8Array).byteLength <= maxBodyBytes)
    leftOut += exchanges.length - fitting.length
    if (fitting.length > 0) files.push({ file, requests: fitting.map(planRequest), bodies })
  }
  return { files, requests: files.reduce((sum, { requests }) => sum + requests.length, 0), leftOut }
}

function decodedBody({ body, encoded }: CorpusExchange): Uint8Array {
  return encoded ? gunzipSync(body) : body
}

function planRequest({ method, path, query, reqHeaders, reqBody }: CorpusExchange): PlannedRequest {
  const headers = reqHeaders.filter(([name, value]) => !notSent.test(name) && /^[\t\x20-\x7e]*$/.test(value))
  const hasBody = reqBody !== null && method !== 'GET' && method !== 'HEAD'
  return {
    method,
    path: path + query,
    headers,
    ...(hasBody && { body: Buffer.from(reqBody).toString('base64') }),
  }
}
