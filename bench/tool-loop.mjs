// An agent that calls a tool in every turn, and sends the whole conversation each time.
import { wordsFrom } from './answers.mjs'
import { chatRequest, turnOf } from './requests.mjs'

/** `bytes`: of the last request. @param {{ turns: number, bytes: number }} what */
export function toolLoop({ turns, bytes }) {
  const words = wordsFrom(5)
  const first = chatRequest({ bytes: 6_000, image: false, number: 0 })
  const length = Math.max(40, Math.round(((bytes - 6_000) / turns - 280) * 0.75))
  /** @type {string[]} */
  const requests = []
  /** @type {string[]} */
  const answers = []
  let distinct = JSON.stringify(first)
  let messages = first.messages
  for (let turn = 0; turn < turns; turn++) {
    requests.push(JSON.stringify({ ...first, messages }))
    const added = turnOf(turn, words, length).slice(0, 2)
    const message = added[0]
    const choices = [{ index: 0, message, finish_reason: 'tool_calls' }]
    answers.push(JSON.stringify({ id: `chatcmpl-${turn}`, object: 'chat.completion', choices }))
    distinct += JSON.stringify(added) + answers.at(-1)
    messages = [...messages, ...added]
  }
  return {
    requests,
    answers,
    /** Everything that is said for the first time, once. */
    distinct,
    /** @param {string} url */
    exchanges: (url) =>
      requests.map((body, turn) => ({ url, body, type: 'application/json', chunks: [answers[turn] ?? ''] })),
  }
}
