import { expect, test } from 'vitest'
import type { Paint } from '../../src/cli/output.ts'
import { outlineInteractions } from '../../src/cli/show/outline-interaction.ts'
import { renderCassette } from '../../src/cli/show/render-cassette.ts'
import type { HttpInteraction, Interaction, Json, ResponseBody } from '../../src/core/cassette/document.ts'
import { streamedAnswer } from '../life/wire-answers.mjs'
import { recordedCassette } from './cli-project.ts'

const plain = new Proxy({} as Paint, { get: () => (text: string) => text })

/** The lines of the interactions, without those that say when and how they came. */
function conversation(interactions: readonly Interaction[]): string {
  const cassette = recordedCassette('a house', interactions)
  const outlines = outlineInteractions({ interactions: cassette.interactions, sideFiles: new Map() })
  const lines = renderCassette({ cassette, path: 'cassettes/a.json', pending: false, outlines, paint: plain })
  return lines
    .slice(5)
    .join('\n')
    .replaceAll(/ \| hash \w{8}/g, '')
}

function call(url: string, json: Json, response: { readonly status?: number; readonly body?: ResponseBody } = {}) {
  return {
    number: 1,
    kind: 'model',
    hash: '',
    request: { method: 'POST', url, body: { json } },
    response: { status: 200, headers: [], ...response },
    timing: { startMs: 0 },
  } satisfies HttpInteraction
}

/** The texts of a stream as its events. */
function stream(texts: readonly string[]): ResponseBody {
  return { framing: 'sse', events: texts.map((text) => ({ raw: text })) }
}

const chat = 'https://api.openai.com/v1/chat/completions'
const image = 'iVBORw0KGgo='
const newId = (prefix: string): string => `${prefix}1`

test('reads as a conversation: attempts, media, parallel tools, what each request adds', () => {
  const tools = [{ type: 'function', function: { name: 'look' } }]
  const first = [
    { role: 'developer', content: 'Be brief.' },
    {
      role: 'user',
      content: [
        { type: 'text', text: 'Which room is this?' },
        { type: 'image_url', image_url: { url: `data:image/png;base64,${image}` } },
      ],
    },
  ]
  const calls = ['1', '2'].map((place) => ({ name: 'look', input: { place } }))
  const asked = streamedAnswer('chat', { model: 'gpt-5', text: 'I will look.', calls, newId, createdAt: 1 })
  const toolCalls = calls.map(({ name, input }, index) => ({
    id: `call_${index}`,
    function: { name, arguments: JSON.stringify(input) },
  }))
  const second = [
    ...first,
    { role: 'assistant', content: 'I will look.', tool_calls: toolCalls },
    { role: 'tool', content: 'tidy' },
    { role: 'tool', content: 'locked' },
  ]
  const error = { message: 'Slow down.', type: 'rate_limit', code: 'rate_limit_exceeded' }
  const tool = { number: 1, kind: 'tool', hash: '', timing: { startMs: 0 } } as const
  expect(
    conversation([
      call(chat, { model: 'gpt-5', tools, messages: first }, { status: 429, body: { json: { error } } }),
      call(chat, { model: 'gpt-5', tools, messages: first }, { body: stream(asked) }),
      { ...tool, request: { name: 'look', input: [{ place: '1' }] }, result: { value: 'tidy' } },
      {
        ...tool,
        overlaps: [3],
        request: { name: 'look', input: [{ place: '2' }] },
        result: { error: { stage: 'value', name: 'Error', message: 'locked' } },
      },
      call(
        chat,
        { model: 'gpt-5', tools, messages: second },
        {
          body: {
            json: {
              choices: [{ message: { content: null, refusal: 'I cannot say.' }, finish_reason: 'content_filter' }],
            },
          },
        },
      ),
    ]),
  ).toMatchInlineSnapshot(`
    "#1  turn 1 | attempt 1 of 2 | model | POST https://api.openai.com/v1/chat/completions (gpt-5)
        429, 1 chunk
        tools       look
        developer   Be brief.
        user        Which room is this?
        user        [image, image/png, 8 bytes]
        => error    Slow down. (rate_limit, rate_limit_exceeded)

    #2  turn 1 | attempt 2 of 2 | model | POST https://api.openai.com/v1/chat/completions (gpt-5)
        200, 13 chunks
        => text     I will look.
        => call     look {"place":"1"}
        => call     look {"place":"2"}
        => tokens   40 in, 9 out

    #3  tool | look
        returned
        input       {"place":"1"}
        => response "tidy"

    #4  tool | look
        threw Error: locked, beside #3
        input       {"place":"2"}

    #5  turn 2 | model | POST https://api.openai.com/v1/chat/completions (gpt-5)
        200, 1 chunk
        assistant   I will look.
        call        look {"place":"1"}
        call        look {"place":"2"}
        result      tidy
        result      locked
        => refusal  I cannot say.
        => ended by content_filter"
  `)
})

test('reads what other wires send: thinking, documents, results with images, an error part way, a fold', () => {
  const source = { type: 'base64', media_type: 'image/png', data: image }
  const anthropic = 'https://api.anthropic.com/v1/messages'
  const events = [
    { type: 'message_start', message: { type: 'message', content: [], usage: { input_tokens: 30, output_tokens: 1 } } },
    { type: 'content_block_start', index: 0, content_block: { type: 'thinking', thinking: '' } },
    { type: 'content_block_delta', index: 0, delta: { type: 'thinking_delta', thinking: 'Look first.' } },
    { type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } },
  ]
  const results = [
    { type: 'text', text: 'no such room' },
    { type: 'image', source },
  ]
  expect(
    conversation([
      {
        ...call(
          anthropic,
          {
            model: 'claude',
            system: [{ type: 'text', text: 'You keep house.' }],
            messages: [
              {
                role: 'user',
                content: [{ type: 'document', source: { type: 'url', url: 'https://example.com/plan.pdf' } }],
              },
              {
                role: 'assistant',
                content: [
                  { type: 'redacted_thinking', data: 'x' },
                  { type: 'tool_use', name: 'look', input: { place: '3' } },
                ],
              },
              { role: 'user', content: [{ type: 'tool_result', is_error: true, content: results }] },
            ],
          },
          { body: stream(events.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`)) },
        ),
        lane: 'keeper',
      },
      call(
        'https://api.openai.com/v1/responses',
        {
          model: 'gpt-5',
          previous_response_id: 'resp_0',
          input: [
            { type: 'reasoning', summary: [{ type: 'summary_text', text: 'One more room.' }] },
            { role: 'user', content: [{ type: 'input_file', file_data: `data:application/pdf;base64,${image}` }] },
          ],
        },
        {
          body: stream(streamedAnswer('responses', { model: 'gpt-5', text: 'Seen.', calls: [], newId, createdAt: 1 })),
        },
      ),
      {
        ...call(
          'https://generativelanguage.googleapis.com/v1beta/models/gemini-2.5-flash:generateContent',
          { contents: [{ role: 'user', parts: [{ inlineData: { mimeType: 'audio/wav', data: image } }] }] },
          {
            body: {
              json: {
                candidates: [
                  {
                    content: { parts: [{ inlineData: { mimeType: 'image/png', data: image } }] },
                    finishReason: 'MAX_TOKENS',
                  },
                ],
              },
            },
          },
        ),
        fold: true,
      },
    ]),
  ).toMatchInlineSnapshot(`
    "#1  turn 1 | lane keeper | model | POST https://api.anthropic.com/v1/messages (claude)
        200, 4 chunks
        system      You keep house.
        user        [document, https://example.com/plan.pdf]
        thinking    [not shown by the provider]
        call        look {"place":"3"}
        result      no such room
                    [image, image/png, 8 bytes]
        => thinking Look first.
        => error    Overloaded (overloaded_error)
        => tokens   30 in, 1 out

    #2  turn 2 | model | POST https://api.openai.com/v1/responses (gpt-5)
        200, 9 chunks
        goes on     from resp_0
        thinking    One more room.
        user        [file, application/pdf, 8 bytes]
        => text     Seen.
        => tokens   40 in, 9 out

    #3  turn 3 | model, fold | POST https://generativelanguage.googleapis.com/v1beta/models/gemini-2.5-flash:generateContent
        200, 1 chunk
        user        [audio/wav, 8 bytes]
        => media    [image/png, 8 bytes]
        => ended by MAX_TOKENS"
  `)
})

test('reads what Cohere and Ollama send and answer', () => {
  const cohere = call(
    'https://api.cohere.com/v2/chat',
    {
      model: 'command',
      messages: [
        { role: 'user', content: 'Where?' },
        {
          ...{ role: 'assistant', tool_plan: 'I look.' },
          tool_calls: [{ id: 'l1', function: { name: 'look', arguments: '{"place":1}' } }],
        },
        { role: 'tool', tool_call_id: 'l1', content: 'A room.' },
      ],
    },
    {
      body: {
        json: {
          id: 'a',
          finish_reason: 'COMPLETE',
          message: { role: 'assistant', content: [{ type: 'text', text: 'Here.' }] },
        },
      },
    },
  )
  const first = call('https://api.cohere.com/v1/chat', {
    ...{ model: 'command', preamble: 'Be brief.', message: 'And now?' },
    chat_history: [{ role: 'CHATBOT', message: 'Here.' }],
  })
  const ollama = call(
    'http://localhost/api/chat',
    {
      model: 'qwen3',
      messages: [
        { role: 'assistant', thinking: 'Hm.', tool_calls: [{ function: { name: 'look', arguments: { place: 1 } } }] },
      ],
    },
    {
      body: {
        json: {
          model: 'qwen3',
          message: { role: 'assistant', content: 'Gone.' },
          done: true,
          done_reason: 'length',
          eval_count: 2,
        },
      },
    },
  )
  const generate = call('http://localhost/api/generate', { model: 'qwen3', system: 'Be brief.', prompt: 'Once' })
  expect(conversation([cohere, first, ollama, generate])).toMatchInlineSnapshot(`
    "#1  turn 1 | model | POST https://api.cohere.com/v2/chat (command)
        200, 1 chunk
        user        Where?
        thinking    I look.
        call        look {"place":1}
        result      A room.
        => text     Here.

    #2  turn 2 | model | POST https://api.cohere.com/v1/chat (command)
        200
        system      Be brief.
        CHATBOT     Here.
        user        And now?

    #3  turn 3 | model | POST http://localhost/api/chat (qwen3)
        200, 1 chunk
        thinking    Hm.
        call        look {"place":1}
        => text     Gone.
        => ended by length
        => tokens   0 in, 2 out

    #4  turn 4 | model | POST http://localhost/api/generate (qwen3)
        200
        system      Be brief.
        user        Once"
  `)
})
