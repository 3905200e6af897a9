import { describe, expect, it } from 'vitest'
import type { Json } from '../../src/core/cassette/document.ts'
import { clientIds, collectIds } from '../../src/core/matching/client-ids.ts'
import { normalisedKey } from '../../src/core/matching/normalise-request.ts'

const url = 'https://api.openai.com/v1/responses'
const key = (json: Json, serverIds: readonly string[] = []): string =>
  normalisedKey({ request: { method: 'POST', url, body: { json } }, normalisers: [], serverIds: new Set(serverIds) })

/** A two-tool round in the form of each client; `ids` are two call ids and one message id. */
const rounds: Readonly<Record<string, (ids: readonly [string, string, string]) => Json>> = {
  'OpenAI chat': ([one, two, message]) => ({
    messages: [
      {
        role: 'assistant',
        id: message,
        tool_calls: [
          { id: one, type: 'function' },
          { id: two, type: 'function' },
        ],
      },
      { role: 'tool', tool_call_id: one, content: 'rain' },
      { role: 'tool', tool_call_id: two, content: 'sun' },
    ],
  }),
  'OpenAI Responses': ([one, two, message]) => ({
    input: [
      { type: 'message', id: message },
      { type: 'function_call', call_id: one },
      { type: 'function_call', call_id: two },
      { type: 'function_call_output', call_id: one, output: 'rain' },
      { type: 'function_call_output', call_id: two, output: 'sun' },
    ],
  }),
  Anthropic: ([one, two]) => ({
    messages: [
      {
        role: 'assistant',
        content: [
          { type: 'tool_use', id: one },
          { type: 'tool_use', id: two },
        ],
      },
      {
        role: 'user',
        content: [
          { type: 'tool_result', tool_use_id: one, content: 'rain' },
          { type: 'tool_result', tool_use_id: two, content: 'sun' },
        ],
      },
    ],
  }),
  'AI SDK': ([one, two, message]) => ({
    messages: [
      {
        id: message,
        content: [
          { type: 'tool-call', toolCallId: one },
          { type: 'tool-call', toolCallId: two },
        ],
      },
      {
        role: 'tool',
        content: [
          { toolCallId: one, output: 'rain' },
          { toolCallId: two, output: 'sun' },
        ],
      },
    ],
  }),
  Gemini: ([one, two]) => ({
    contents: [
      { parts: [{ functionCall: { id: one } }, { functionCall: { id: two } }] },
      {
        parts: [
          { functionResponse: { id: one, response: 'rain' } },
          { functionResponse: { id: two, response: 'sun' } },
        ],
      },
    ],
  }),
}

describe.each(Object.entries(rounds))('ids made up by a client, promise 4: %s', (_, round) => {
  it('LR-08 AS-05 count as equal up to renaming', () => {
    expect(key(round(['c1', 'c2', 'm1']))).toBe(key(round(['x', 'y', 'z'])))
  })

  it('do not count as equal where two are mixed up or merged', () => {
    expect(key(mixUp(round))).not.toBe(key(round(['c1', 'c2', 'm1'])))
    expect(key(round(['c1', 'c1', 'm1']))).not.toBe(key(round(['c1', 'c2', 'm1'])))
  })

  it('stay apart from ids that a recorded response handed out, which keep their names', () => {
    const server = ['call_1', 'call_2']
    expect(key(round(['call_1', 'call_2', 'a']), server)).toBe(key(round(['call_1', 'call_2', 'b']), server))
    expect(key(round(['call_2', 'call_1', 'a']), server)).not.toBe(key(round(['call_1', 'call_2', 'a']), server))
    expect(key(round(['call_1', 'other', 'a']), server)).not.toBe(key(round(['call_1', 'call_2', 'a']), server))
  })
})

/** Both results under the other call's id: the last two mentions swapped. */
function mixUp(round: (ids: readonly [string, string, string]) => Json): Json {
  const text = JSON.stringify(round(['c1', 'c2', 'm1']))
  const at = text.lastIndexOf('"c1"')
  return JSON.parse(`${text.slice(0, at)}"c2"${text.slice(at + 4).replace('"c2"', '"c1"')}`) as Json
}

describe('clientIds', () => {
  it.each<[string, (id: string) => Json]>([
    ['tool arguments', (id) => ({ messages: [{ content: [{ type: 'tool_use', id: 'c', input: { id } }] }] })],
    [
      'arguments as text',
      (id) => ({ messages: [{ tool_calls: [{ id: 'c', function: { arguments: `{"id":"${id}"}` } }] }] }),
    ],
    ['an Anthropic tool result', (id) => ({ messages: [{ content: [{ tool_use_id: 'c', content: [{ id }] }] }] })],
    [
      'a Gemini tool result',
      (id) => ({ contents: [{ parts: [{ functionResponse: { id: 'c', response: { id } } }] }] }),
    ],
    ['a Responses tool output', (id) => ({ input: [{ call_id: 'c', output: [{ id }] }] })],
    ['metadata', (id) => ({ metadata: { user_id: id, id } })],
    ['the top', (id) => ({ id, previous_response_id: id })],
    ['tools', (id) => ({ tools: [{ id }] })],
  ])('leaves ids in %s alone', (_, bodyWith) => {
    expect(key(bodyWith('order-1'))).not.toBe(key(bodyWith('order-2')))
  })

  it('names them by first appearance and touches nothing else', () => {
    const body = { messages: [{ id: 'b' }, { id: 'a' }, { id: 'b', content: 'b' }, { id: 5 }], input: 'text' }
    const request = { method: 'POST', url, headers: {}, body }
    expect(clientIds(new Set(['a']))(request).body).toEqual({
      messages: [{ id: '<id 1>' }, { id: 'a' }, { id: '<id 1>', content: 'b' }, { id: 5 }],
      input: 'text',
    })
    expect(body.messages[0]).toEqual({ id: 'b' })
  })
})

describe('collectIds', () => {
  it('gives every id of a response, at any depth', () => {
    const response = {
      id: 'resp_1',
      name: 'no',
      output: [
        { type: 'function_call', id: 'fc_1', call_id: 'call_1' },
        { item_id: 'item_1', content: [{ tool_use_id: 'toolu_1' }, { toolCallId: 'call_2' }] },
      ],
      nested: { response_id: 'resp_2', responseId: 'resp_3', message_id: 'msg_1', tool_call_id: 'call_3' },
      nothing: { id: '', call_id: 7 },
    }
    expect(collectIds(response).sort()).toEqual(
      ['call_1', 'call_2', 'call_3', 'fc_1', 'item_1', 'msg_1', 'resp_1', 'resp_2', 'resp_3', 'toolu_1'].sort(),
    )
  })
})
