import { expect, it } from 'vitest'
import type { Json } from '../../src/core/cassette/document.ts'
import { decodeText, decodeWhole } from './stream-of.ts'

function line(message: Json, rest: { readonly [name: string]: Json } = { done: false }): Json {
  return { model: 'qwen3', created_at: '2026-01-01T00:00:00.1Z', message, ...rest }
}

function textOf(events: readonly Json[]): string {
  return events.map((event) => `${JSON.stringify(event)}\n`).join('')
}

const counts = { prompt_eval_count: 12, eval_count: 5, total_duration: 900, load_duration: 10 }
const end = { done: true, done_reason: 'stop', ...counts }

function call(city: string): Json {
  return { function: { name: 'weather', arguments: { city } } }
}

const stream: readonly Json[] = [
  line({ role: 'assistant', content: '', thinking: 'Hm' }),
  line({ role: 'assistant', content: '', thinking: '.' }),
  line({ role: 'assistant', content: 'Let ' }),
  line({ role: 'assistant', content: 'me see' }),
  line({ role: 'assistant', content: '', tool_calls: [call('Oslo')] }),
  line({ role: 'assistant', content: '', tool_calls: [call('Rome')] }),
  line({ role: 'assistant', content: '' }, end),
]

it('an answer is the same in lines and whole: thinking, text, calls without an id, tokens', () => {
  const answer = decodeText('ollama', textOf(stream))
  const message = {
    role: 'assistant',
    content: 'Let me see',
    thinking: 'Hm.',
    tool_calls: [call('Oslo'), call('Rome')],
  }
  expect(answer).toEqual(decodeWhole('ollama', line(message, end)))
  expect(answer).toEqual({
    ...{ wire: 'ollama', model: 'qwen3', finishReason: 'stop', finished: true },
    blocks: [
      { kind: 'thinking', text: 'Hm.' },
      { kind: 'text', text: 'Let me see' },
      { kind: 'tool call', name: 'weather', arguments: { json: { city: 'Oslo' } } },
      { kind: 'tool call', name: 'weather', arguments: { json: { city: 'Rome' } } },
    ],
    usage: { inputTokens: 12, outputTokens: 5, raw: counts },
  })
})

it('generate is read as well, and a prompt that was cached has no count', () => {
  const text = textOf([
    { model: 'm', response: '', thinking: 'Hm', done: false },
    { model: 'm', response: 'A', done: false },
    { model: 'm', response: '', done: true, done_reason: 'length', context: [1, 2], eval_count: 2 },
  ])
  expect(decodeText('ollama', text)).toMatchObject({
    ...{ finishReason: 'length', finished: true, usage: { inputTokens: 0, outputTokens: 2 } },
    blocks: [
      { kind: 'thinking', text: 'Hm' },
      { kind: 'text', text: 'A' },
    ],
  })
})

it('an answer that was cut is not finished, and the line it was cut in is torn', () => {
  const text = textOf(stream.slice(0, 4))
  expect(decodeText('ollama', text)).toMatchObject({ finished: false, blocks: [{}, { text: 'Let me see' }] })
  expect(decodeText('ollama', `${text}{"model":"qwen3","mess`).torn).toBe('{"model":"qwen3","mess')
})

it('an error is told, as a body and as a line of the stream', () => {
  expect(decodeWhole('ollama', { error: "model 'm' not found" }).error?.message).toBe("model 'm' not found")
  expect(decodeText('ollama', textOf([...stream.slice(0, 3), { error: 'out of memory' }]))).toMatchObject({
    ...{ finished: true, error: { message: 'out of memory' } },
    blocks: [{ text: 'Hm.' }, { text: 'Let ' }],
  })
})

it('a line that is not known stays as it was sent', () => {
  const odd = { model: 'm', status: 'loading', done: false }
  expect(decodeText('ollama', textOf([odd, ...stream])).blocks[0]).toEqual({ kind: 'marker', event: odd })
})
