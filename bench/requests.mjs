// Requests as agents send them: tools, tool calls and their results, some text beyond ASCII, a picture where one is wanted.
import { wordsFrom } from './answers.mjs'

/** About so many bytes of JSON. @param {{ bytes: number, image: boolean, number: number }} what */
export function chatRequest({ bytes, image, number }) {
  const words = wordsFrom(number + 1)
  const length = Math.min(700, Math.round(bytes / 16))
  const tools = Array.from({ length: bytes < 10_000 ? 1 : 12 }, (_, at) => toolNamed(`tool_${at}`, words))
  /** @type {object[]} */
  const messages = [{ role: 'system', content: words(length) }]
  const request = { model: 'bench-json-1', temperature: 0.2, stream: true, tools, messages }
  if (image) messages.push({ role: 'user', content: pictureOf(bytes, number) })
  let size = JSON.stringify(request).length
  for (let turn = 0; size < bytes - 2 * length; turn++) {
    const added = turnOf(turn, words, length)
    messages.push(...added)
    size += JSON.stringify(added).length
  }
  return request
}

/** What one turn of a tool loop adds. @param {number} turn @param {(characters: number) => string} words @param {number} length @returns {object[]} */
export function turnOf(turn, words, length) {
  const id = `call_${turn}`
  const call = {
    name: 'tool_0',
    arguments: JSON.stringify({ path: `src/${turn}.ts`, query: words(Math.round(length / 3)), limit: turn }),
  }
  return [
    { role: 'assistant', content: null, tool_calls: [{ id, type: 'function', function: call }] },
    { role: 'tool', tool_call_id: id, content: JSON.stringify({ ok: true, rows: [1, 2, 3], note: words(length) }) },
    { role: 'user', content: `${words(length)} “naïve” ✓` },
  ]
}

/** @param {string} name @param {(characters: number) => string} words */
function toolNamed(name, words) {
  const properties = {
    path: { type: 'string', description: words(40) },
    query: { type: 'string', enum: ['a', 'b', 'c'] },
    limit: { type: 'integer', minimum: 0, maximum: 1000, default: 10 },
  }
  const parameters = { type: 'object', additionalProperties: false, required: ['path', 'query'], properties }
  return { type: 'function', function: { name, description: words(90), strict: true, parameters } }
}

/** @param {number} bytes @param {number} number */
function pictureOf(bytes, number) {
  const words = wordsFrom(number + 77)
  const data = Buffer.from(words(Math.round(bytes * 0.7))).toString('base64')
  const image = { type: 'image_url', image_url: { url: `data:image/png;base64,${data}` } }
  return [{ type: 'text', text: 'what is this?' }, image]
}
