import { expect, it } from 'vitest'
import { hasCorpus } from '../corpus/corpus.ts'
import { ClientProject, type Served } from './client-project.ts'

interface Group {
  readonly clients: string
  /** The project's test file. */
  readonly scenario: URL
  readonly keys: Readonly<Record<string, string>>
  readonly served: Readonly<Record<string, Served>>
  /** Calls of the scenario that reach no server. */
  readonly unanswered: number
  /** What the live run must have shown, so that an empty run is no equal one: members by file. */
  readonly shown: Readonly<Record<string, object>>
}

const order = { pick: 'order' } as const
const chatStream = 'req_llm/openai/gpt_4o_mini/streaming.json'
const anthropicStream = 'req_llm/anthropic/claude_haiku_4_5_20251001/object_streaming.json'
const openaiKey = { OPENAI_API_KEY: 'sk-test-0f3a9c17b2d84e6590ab12cd34ef5678' }
const anthropicKey = { ANTHROPIC_API_KEY: 'sk-ant-test-77aa0f3a9c17b2d84e6590ab12cd34ef' }

const groups: readonly Group[] = [
  {
    clients: 'openai, chat and Responses',
    scenario: new URL('scenarios/openai.ts', import.meta.url),
    keys: openaiKey,
    served: {
      'chat-stream': { file: chatStream, options: { split: 5 } },
      'chat-early-fetch': { file: chatStream, options: { gzip: true } },
      'chat-loop': { file: 'llm/test_tools/test_tool_use_chain_of_two_calls.yaml', options: order },
      'chat-loop-stream': { file: 'fantasy/TestOpenAICommon/openai-gpt-5/multi_tool_streaming.yaml', options: order },
      'responses-loop': {
        file: 'llm/test_openai_responses/test_responses_round_trips_encrypted_reasoning.yaml',
        options: order,
      },
      'responses-loop-stream': {
        file: 'pydantic-ai/test_openai_responses/test_openai_responses_stream.yaml',
        options: order,
      },
      'responses-mid-error': { file: 'vercel-ai/openai/openai-error.1.chunks.txt' },
      'chat-404': { file: 'pydantic-ai/test_model_name_suggestions/test_model_name_suggestion[openai-chat].yaml' },
      'responses-401': { file: 'ruby_llm/error_handles_invalid_api_keys_gracefully.yml' },
      'chat-retry': { file: chatStream, options: { fail: 1, failStatus: 429, retryAfter: 0.05 } },
      'chat-cut': { file: chatStream, options: { cutAfter: 2_500 } },
      'chat-left': { file: chatStream },
      'side-one': { file: chatStream },
      'side-two': { file: 'fantasy/TestImageUploadAgentStreaming/openai-gpt-5-stream.yaml' },
      'side-three': { file: chatStream, options: { split: 11 } },
      // The rest never comes: the abort alone ends it, however fast the machine is.
      'chat-abort': { file: chatStream, options: { stallAfter: 2_500 } },
      'chat-response': { file: 'pydantic-ai/test_openai/test_image_url_tool_response.yaml' },
      speech: { file: 'ruby_llm/speech_basic_functionality_openai_gpt-4o-mini-tts_can_speak.yml' },
      upload: {
        file: 'ruby_llm/transcription_basic_functionality_openai_gpt-4o-transcribe_streams_text_deltas_and_returns_the_final_transcription.yml',
      },
    },
    unanswered: 2,
    shown: {
      'chat-stream': { text: expect.stringContaining('Greetings, fellow traveler'), turns: 1 },
      'chat-loop': { ran: [{ name: 'lookup_population' }, { name: 'can_have_dragons' }], turns: 3 },
      'chat-loop-stream': { ran: [{ name: 'add' }, { name: 'multiply' }], text: expect.stringContaining('2 + 3 = 5') },
      'responses-loop': { ran: [{ name: 'lookup_population' }, { name: 'can_have_dragons' }] },
      'responses-loop-stream': { ran: [{ name: 'get_capital' }], text: expect.stringContaining('Paris') },
      errors: {
        missing: { class: 'NotFoundError', status: 404 },
        refused: { class: 'AuthenticationError', status: 401 },
      },
      'responses-mid-error': { events: expect.arrayContaining(['response.created']), error: { class: 'APIError' } },
      'chat-retry': { interactions: 2, turns: 1 },
      'chat-cut': { error: { class: 'TypeError', message: 'terminated' } },
      'chat-left': { count: 3 },
      'side-by-side': { ids: 2 },
      'chat-abort': { error: { class: 'APIUserAbortError' } },
      'chat-response': { status: 200, statusText: 'OK', redirected: false, type: 'basic' },
      speech: { length: 85_632 },
      upload: { events: expect.arrayContaining([expect.objectContaining({ type: 'transcript.text.done' })]) },
      nowhere: { class: 'APIConnectionError', cause: { code: 'ECONNREFUSED' }, interactions: 2 },
    },
  },
  {
    clients: '@anthropic-ai/sdk',
    scenario: new URL('scenarios/anthropic.ts', import.meta.url),
    keys: anthropicKey,
    served: {
      plain: { file: 'pydantic-ai/test_settings/test_stop_settings[anthropic].yaml' },
      stream: { file: anthropicStream, options: { split: 3 } },
      loop: { file: 'fantasy/TestAnthropicCommon/claude-sonnet-4/multi_tool.yaml', options: order },
      'loop-stream': { file: 'fantasy/TestAnthropicThinking/claude-sonnet-4/thinking-streaming.yaml', options: order },
      missing: { file: 'pydantic-ai/test_model_name_suggestions/test_model_name_suggestion[anthropic].yaml' },
      'too-long': {
        file: 'ruby_llm/chat_real_error_scenarios_anthropic_claude-haiku-4-5_handles_context_length_exceeded_errors.yml',
      },
      retry: { file: anthropicStream, options: { fail: 1, failStatus: 529, retryAfter: 0.05 } },
    },
    unanswered: 0,
    shown: {
      plain: { message: { role: 'assistant' }, turns: 1 },
      stream: { message: { content: [{ type: 'tool_use' }] }, events: expect.arrayContaining(['message_stop']) },
      loop: { ran: [{ name: 'add' }, { name: 'multiply' }], stop_reason: 'end_turn' },
      'loop-stream': { ran: [{ name: 'weather' }], stop_reason: 'end_turn', turns: 2 },
      errors: { missing: { class: 'NotFoundError', status: 404 }, tooLong: { class: 'BadRequestError', status: 400 } },
      retry: { interactions: 2, turns: 1 },
    },
  },
  {
    clients: '@google/genai',
    scenario: new URL('scenarios/gemini.ts', import.meta.url),
    keys: { GEMINI_API_KEY: 'AIzaSyTestTestTestTestTestTestTestTest0' },
    served: {
      loop: {
        file: 'ruby_llm/chat_function_calling_gemini_gemini-2_5-flash_can_use_parallel_tool_calls.yml',
        options: order,
      },
      'loop-stream': {
        file: 'pydantic-ai/test_google/test_google_streaming_tool_call_thought_signature.yaml',
        options: order,
      },
      quota: {
        file: 'ruby_llm/chat_real_error_scenarios_gemini_gemini-2_5-flash_handles_context_length_exceeded_errors.yml',
      },
      'query-key': {
        file: 'ruby_llm/chat_function_calling_gemini_gemini-2_5-flash_can_use_parallel_tool_calls.yml',
        options: order,
      },
    },
    unanswered: 0,
    shown: {
      loop: { ran: [{ name: 'weather' }, { name: 'best_language_to_learn' }], turns: 2 },
      'loop-stream': { ran: [{ name: 'get_country' }], text: 'The capital of Mexico is Mexico City.' },
      quota: { class: 'ApiError', status: 429 },
      'query-key': { status: 200 },
    },
  },
  {
    clients: 'ai with @ai-sdk/openai and @ai-sdk/anthropic',
    scenario: new URL('scenarios/ai-sdk.ts', import.meta.url),
    keys: { ...openaiKey, ...anthropicKey },
    served: {
      'openai-chat': { file: 'fantasy/TestOpenAICommon/openai-gpt-5/multi_tool_streaming.yaml', options: order },
      'openai-responses': {
        file: 'fantasy/TestOpenAIResponsesCommon/openai-gpt-5/multi_tool_streaming.yaml',
        options: order,
      },
      'openai-plain': { file: 'llm/test_tools/test_tool_use_chain_of_two_calls.yaml', options: order },
      'anthropic-plain': { file: 'fantasy/TestAnthropicCommon/claude-sonnet-4/multi_tool.yaml', options: order },
      'anthropic-stream': {
        file: 'fantasy/TestAnthropicThinking/claude-sonnet-4/thinking-streaming.yaml',
        options: order,
      },
      'anthropic-400': {
        file: 'ruby_llm/chat_real_error_scenarios_anthropic_claude-haiku-4-5_handles_context_length_exceeded_errors.yml',
      },
      'anthropic-retry': {
        file: 'openinference/openinference-instrumentation-anthropic/thinking-multi-turn-0.json',
        options: { fail: 1, failStatus: 529, retryAfter: 0.05 },
      },
    },
    unanswered: 0,
    shown: {
      'openai-chat': { finishReason: 'stop', ran: [{ name: 'add' }, { name: 'multiply' }] },
      'openai-responses': { finishReason: 'stop', ran: [{ name: 'add' }, { name: 'multiply' }] },
      'openai-plain': { finishReason: 'stop', ran: [{ name: 'lookup_population' }, { name: 'can_have_dragons' }] },
      'anthropic-plain': { finishReason: 'stop', ran: [{ name: 'add' }, { name: 'multiply' }] },
      'anthropic-stream': { finishReason: 'stop', ran: [{ name: 'weather' }] },
      'anthropic-400': { class: 'APICallError', statusCode: 400 },
      'anthropic-retry': { interactions: 2 },
    },
  },
  {
    clients: 'axios, got and node-fetch',
    scenario: new URL('scenarios/http-clients.ts', import.meta.url),
    keys: openaiKey,
    served: {
      'axios-stream': { file: chatStream, options: { gzip: true } },
      'axios-plain': { file: 'llm/test_tools/test_tool_use_chain_of_two_calls.yaml' },
      missing: { file: 'pydantic-ai/test_model_name_suggestions/test_model_name_suggestion[openai-chat].yaml' },
      'axios-cut': { file: chatStream, options: { cutAfter: 2_500 } },
      'got-stream': { file: chatStream, options: { split: 7 } },
      'got-plain': { file: 'llm/test_tools/test_tool_use_chain_of_two_calls.yaml' },
      sdk: { file: chatStream },
    },
    unanswered: 1,
    shown: {
      'axios-stream': { status: 200, text: expect.stringContaining('data: [DONE]'), turns: 1 },
      'axios-plain': { status: 200, type: expect.stringContaining('json'), missing: [404, expect.anything()] },
      'axios-cut': { cut: { code: 'ECONNRESET' }, nowhere: { code: 'ECONNREFUSED' } },
      got: { streamed: { text: expect.stringContaining('data: [DONE]') } },
      sdk: { text: expect.stringContaining('Greetings, fellow traveler'), turns: 1 },
    },
  },
]

it.skipIf(!hasCorpus).for(groups)(
  'shows $clients in replay what the live run showed, with no request and no key (skipped where there is no corpus)',
  { timeout: 180_000 },
  async ({ scenario, served, keys, unanswered, shown }) => {
    const project = await ClientProject.create(scenario, served)
    const recorded = await project.run('recorded', keys)
    expect(recorded.output).toContain('written')
    expect(recorded.seen).toMatchObject(shown)
    expect(Object.keys(recorded.seen)).toEqual(expect.arrayContaining(Object.keys(shown)))
    const live = await project.requests()
    expect(project.interactions()).toBe(live + unanswered)

    const replayed = await project.run('replayed', { CI: 'true' })
    expect(replayed.output).toContain('replayed')
    expect(replayed.seen).toEqual(recorded.seen)
    expect(await project.requests()).toBe(live)

    await project.servers.stop()
    const offline = await project.run('offline', { CI: 'true' })
    expect(offline.seen).toEqual(recorded.seen)
    expect([recorded.code, replayed.code, offline.code]).toEqual([0, 0, 0])
    for (const text of project.stored()) for (const key of Object.values(keys)) expect(text).not.toContain(key)
  },
)
