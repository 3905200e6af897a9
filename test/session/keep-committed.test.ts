import { describe, expect, test } from 'vitest'
import type { HttpInteraction, Interaction, Json } from '../../src/core/cassette/document.ts'
import { hashRequest } from '../../src/core/hashing/request-hash.ts'
import { keepCommitted } from '../../src/session/ending/keep-committed.ts'

interface Say {
  readonly messages: readonly Json[]
  readonly id: string
  readonly text?: string
  readonly call?: { readonly id: string; readonly city: string }
  readonly created?: number
  readonly overlaps?: readonly number[]
}

function turn(number: number, { messages, id, text, call, created = 1, overlaps }: Say): HttpInteraction {
  const request = {
    method: 'POST',
    url: 'https://api.openai.com/v1/chat/completions',
    body: { json: { model: 'm', messages } },
  }
  const toolCalls = call === undefined ? undefined : [toolCall(call.id, call.city)]
  const message = { role: 'assistant', content: text ?? null, ...(toolCalls ? { tool_calls: toolCalls } : {}) }
  const choices = [{ index: 0, message, finish_reason: toolCalls ? 'tool_calls' : 'stop' }]
  return {
    number,
    kind: 'model',
    ...(overlaps === undefined ? {} : { overlaps }),
    hash: hashRequest(request),
    request,
    response: {
      status: 200,
      headers: [['content-type', 'application/json']],
      body: { json: { id, object: 'chat.completion', created, model: 'm', choices } },
    },
    timing: { startMs: number * 10 },
  }
}

function toolCall(id: string, city: string): Json {
  return { id, type: 'function', function: { name: 'weather', arguments: JSON.stringify({ city }) } }
}

const user: Json = { role: 'user', content: 'Oslo?' }
const asked = (id: string, city = 'Oslo'): Json => ({
  role: 'assistant',
  content: null,
  tool_calls: [toolCall(id, city)],
})
const result = (id: string, content: string): Json => ({ role: 'tool', tool_call_id: id, content })

/** A run of two turns; ids and dates differ from run to run. */
const run = (mark: string, { weather = 'rain', answer = 'It rains.' } = {}): readonly HttpInteraction[] => [
  turn(1, {
    messages: [user],
    id: `chatcmpl-${mark}`,
    created: mark.length,
    call: { id: `call_${mark}`, city: 'Oslo' },
  }),
  turn(2, {
    messages: [user, asked(`call_${mark}`), result(`call_${mark}`, weather)],
    id: `chatcmpl-${mark}2`,
    text: answer,
  }),
]

const keep = (committed: readonly Interaction[], recorded: readonly Interaction[]): readonly Interaction[] =>
  keepCommitted({ committed, recorded, committedFiles: new Map(), recordedFiles: new Map(), normalisers: [] })

describe('F17: record keeps what was told before', () => {
  test('the same answers under new ids and dates are the committed list itself', () => {
    const committed = run('old')
    expect(keep(committed, run('fresh'))).toBe(committed)
  })

  test('a changed answer is stored, what came before it stays, and its request speaks of the kept ids', () => {
    const committed = run('old')
    const [first, second] = keep(committed, run('fresh', { answer: 'It pours.' })) as [HttpInteraction, HttpInteraction]
    expect(first).toEqual(committed[0])
    expect(JSON.stringify(second.request)).not.toContain('call_fresh')
    expect(second.request).toEqual(committed[1]?.request)
    expect(second.hash).toBe(committed[1]?.hash)
    expect(JSON.stringify(second.response)).toContain('It pours.')
  })

  test('a changed tool result is another request: its turn is new, whatever the answer', () => {
    const committed = run('old')
    const [first, second] = keep(committed, run('fresh', { weather: 'sun' })) as [HttpInteraction, HttpInteraction]
    expect(first).toEqual(committed[0])
    expect(JSON.stringify(second.request)).toContain('sun')
    expect(JSON.stringify(second.request)).toContain('call_old')
    expect(second.hash).toBe(hashRequest(second.request))
  })

  test('another tool argument is another answer', () => {
    const committed = run('old')
    const fresh = turn(1, { messages: [user], id: 'chatcmpl-x', call: { id: 'call_x', city: 'Rome' } })
    expect(keep(committed, [fresh])).toEqual([fresh])
  })

  test('relations come from the new run as soon as one interaction changed', () => {
    const committed = [
      turn(1, { messages: [user], id: 'a', text: 'one' }),
      turn(2, { messages: [user, user], id: 'b', text: 'two' }),
    ]
    const swapped = [
      turn(1, { messages: [user, user], id: 'd', text: 'two' }),
      turn(2, { messages: [user], id: 'c', text: 'one', overlaps: [1] }),
    ]
    expect(keep(committed, swapped)).toEqual([
      { ...committed[1], number: 1 },
      { ...committed[0], number: 2, overlaps: [1] },
    ])
  })

  test('equal requests keep their answers in order, one each', () => {
    const twice = (mark: string): readonly HttpInteraction[] => [
      turn(1, { messages: [user], id: `${mark}1`, text: 'one' }),
      turn(2, { messages: [user], id: `${mark}2`, text: 'two' }),
    ]
    const committed = twice('old')
    expect(keep(committed, twice('fresh'))).toBe(committed)
  })

  test('a call that is gone is dropped, one that is new is added', () => {
    const committed = run('old')
    expect(keep(committed, run('fresh').slice(0, 1))).toEqual(committed.slice(0, 1))
    const [, , third] = keep(committed, [...run('fresh'), turn(3, { messages: [user, user], id: 'n', text: 'more' })])
    expect(third?.number).toBe(3)
  })
})
