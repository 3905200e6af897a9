// The made-up model of the bench: same question, same answer, on every machine. Requests and answers of OpenAI's chat API.
import { wordsFrom as madeUpWords } from '../scripts/made-up-words.mjs'

/** Of neighbouring seeds nothing alike. @param {number} seed */
export function wordsFrom(seed) {
  return madeUpWords(seed * 2_654_435_761 || 1)
}

/** @typedef {{ kind: 'json' | 'stream', chunks: number, number: number }} Question `number`: which of many like it */
/** @typedef {{ type: string, chunks: readonly string[] }} Answer */

const system = 'You are terse. '.repeat(40)

/** The body of the request that asks it. @param {Question} question */
export function requestBody({ kind, chunks, number }) {
  const messages = [
    { role: 'system', content: system },
    { role: 'user', content: `Write a haiku about cassettes, number ${number}.` },
  ]
  return { model: `bench-${kind}-${chunks}`, ...(kind === 'stream' && { stream: true }), messages }
}

/** What a request of that model is answered with. @param {{ model: string, messages: readonly { content: unknown }[] }} body @returns {Answer} */
export function answerTo({ model, messages }) {
  const [, kind, chunks] = model.split('-')
  const number = Number(/number (\d+)/.exec(String(messages.at(-1)?.content))?.[1] ?? 0)
  return answerOf({ kind: kind === 'stream' ? 'stream' : 'json', chunks: Number(chunks), number })
}

/** @param {Question} question @returns {Answer} */
export function answerOf({ kind, chunks, number }) {
  const words = wordsFrom(number + 1)
  const head = { id: `chatcmpl-bench${number}`, created: 1_764_504_000, model: `bench-${kind}-${chunks}` }
  if (kind === 'json') {
    const message = { role: 'assistant', content: words(200) }
    const usage = { prompt_tokens: 160, completion_tokens: 60, total_tokens: 220 }
    const choices = [{ index: 0, message, finish_reason: 'stop' }]
    return {
      type: 'application/json',
      chunks: [JSON.stringify({ ...head, object: 'chat.completion', choices, usage })],
    }
  }
  const event = (/** @type {object} */ delta, /** @type {string | null} */ finish) => {
    const choices = [{ index: 0, delta, finish_reason: finish }]
    return `data: ${JSON.stringify({ ...head, object: 'chat.completion.chunk', choices })}\n\n`
  }
  const texts = Array.from({ length: chunks - 3 }, () => event({ content: words(5) }, null))
  const events = [event({ role: 'assistant', content: '' }, null), ...texts, event({}, 'stop'), 'data: [DONE]\n\n']
  return { type: 'text/event-stream', chunks: events }
}
