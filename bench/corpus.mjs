// Real streams, where they are: a corpus kept outside of the repository. Nothing of it is written anywhere but sizes.
import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { load } from './measure/child.mjs'

const corpus = new URL('../../shared/corpus/', import.meta.url)

/** An event a chunk; none where the corpus is not. @returns {Promise<readonly { body: string, type: string, chunks: readonly string[] }[]>} */
export async function corpusStreams() {
  if (!existsSync(corpus)) return []
  const { loadFile } = await load(new URL('serve.mjs', corpus).href)
  /** @type {{ file: string }[]} */
  const index = JSON.parse(readFileSync(new URL('INDEX.json', corpus), 'utf8'))
  const streams = []
  for (const { file } of index.filter(({ file }) => file.startsWith('http/'))) {
    const url = new URL(file.split('/').map(encodeURIComponent).join('/'), corpus)
    for (const { headers, reqBody, body, encoded } of await loadFile(fileURLToPath(url))) {
      const type = headers.find((/** @type {string[]} */ [name]) => name?.toLowerCase() === 'content-type')?.[1] ?? ''
      if (encoded || !/event-stream|ndjson/.test(type)) continue
      const text = Buffer.from(body).toString('utf8')
      const chunks = text.split(/(?<=\n\r?\n)/).filter((chunk) => chunk !== '')
      if (chunks.length > 1) streams.push({ body: requestText(reqBody), type, chunks })
    }
  }
  return streams
}

/** @param {Uint8Array | string | null} body */
function requestText(body) {
  return body === null ? '{}' : Buffer.from(body).toString('utf8')
}
