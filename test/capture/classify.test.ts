import { describe, expect, test } from 'vitest'
import { type CaptureRules, noCaptureRules } from '../../src/core/capture/capture-rules.ts'
import { type CallClass, classifyRequest } from '../../src/core/capture/classify.ts'

const classify = (method: string, url: string, body?: unknown, rules: Partial<CaptureRules> = {}): CallClass =>
  classifyRequest(
    {
      method,
      url,
      headers: [],
      body:
        body === undefined
          ? undefined
          : new TextEncoder().encode(typeof body === 'string' ? body : JSON.stringify(body)),
      road: 'fetch',
    },
    { rules: { ...noCaptureRules, ...rules }, isOwnPort: (port) => port === 4000 },
  )

const chat = { model: 'm', messages: [] }

describe('what is captured', () => {
  test.for<[string, string, unknown, CallClass]>([
    ['POST', 'https://api.openai.com/v1/chat/completions', chat, 'model'],
    ['POST', 'https://api.openai.com/v1/responses', { input: 'x' }, 'model'],
    ['POST', 'https://api.anthropic.com/v1/messages?beta=true', chat, 'model'],
    ['POST', 'https://generativelanguage.googleapis.com/v1beta/models/g:streamGenerateContent?alt=sse', {}, 'model'],
    ['POST', 'https://gateway.example.com/anything', chat, 'model'],
    ['POST', 'https://gateway.example.com/anything', { model: 'm', contents: [] }, 'model'],
    ['POST', 'https://gateway.example.com/anything', { model: 'm' }, 'http'],
    ['POST', 'https://gateway.example.com/anything', '{"model": "m", "messages"', 'http'],
    ['GET', 'https://api.openai.com/v1/responses/resp_1', undefined, 'http'],
    ['GET', 'http://localhost:3000/v1/responses/resp_1', undefined, 'http'],
    ['POST', 'http://localhost:3000/v1/responses/resp_1/cancel', undefined, 'http'],
    ['GET', 'http://localhost:3000/forms/f/responses/12', undefined, 'pass'],
    ['POST', 'http://localhost:11434/api/generate', { model: 'm', prompt: 'x' }, 'model'],
    ['POST', 'http://localhost:11434/api/embed', { model: 'm', input: 'x' }, 'model'],
    ['POST', 'http://localhost:11434/api/embeddings', { model: 'm', prompt: 'x' }, 'model'],
    ['GET', 'http://localhost:11434/api/tags', undefined, 'pass'],
    ['POST', 'https://x.openai.azure.com/openai/deployments/gpt/chat/completions?api-version=1', {}, 'model'],
    ['POST', 'https://l-aiplatform.googleapis.com/v1/projects/p/models/g:streamGenerateContent', {}, 'model'],
    ['POST', 'https://l-aiplatform.googleapis.com/v1/projects/p/models/claude:streamRawPredict', {}, 'model'],
    ['POST', 'https://api.cohere.com/v2/chat', {}, 'model'],
    ['POST', 'https://api.cohere.com/v2/rerank', {}, 'model'],
    ['POST', 'https://api.openai.com/v1/audio/transcriptions', 'a form', 'model'],
    ['POST', 'https://api.openai.com/v1/batches', { input_file_id: 'f' }, 'http'],
    ['GET', 'https://example.com/', undefined, 'http'],
    ['GET', 'http://10.0.0.3/', undefined, 'http'],
    ['GET', 'http://localhost:3000/users', undefined, 'pass'],
    ['POST', 'http://localhost:3000/users', { name: 'x' }, 'pass'],
    ['POST', 'http://127.0.0.1:3000/v1/chat/completions', chat, 'model'],
    ['POST', 'http://[::1]:11434/api/chat', chat, 'model'],
    ['POST', 'http://localhost:3000/llm', chat, 'model'],
    ['POST', 'http://localhost:4000/v1/chat/completions', chat, 'pass'],
    ['POST', 'https://api.smith.langchain.com/runs', {}, 'ignored'],
    ['POST', 'https://o1.ingest.us.sentry.io/api/1/envelope/', {}, 'ignored'],
    ['POST', 'https://collector.example.com/v1/traces', {}, 'ignored'],
    ['GET', 'data:text/plain,hi', undefined, 'pass'],
  ])('%s %s %j is %s', ([method, url, body, expected]) => {
    expect(classify(method, url, body)).toBe(expected)
  })

  test('`capture`, `passthrough`, `models` and `ignore` change it', () => {
    expect(classify('GET', 'http://localhost:3000/users', undefined, { capture: ['localhost:3000'] })).toBe('http')
    expect(classify('GET', 'http://localhost:3001/users', undefined, { capture: ['localhost:3000'] })).toBe('pass')
    expect(classify('POST', 'http://localhost:4000/v1/messages', chat, { capture: ['localhost'] })).toBe('model')
    expect(classify('POST', 'https://a.example.com/x', {}, { passthrough: ['*.example.com'] })).toBe('pass')
    expect(classify('POST', 'https://a.example.com/x', {}, { models: [/\/x$/g] })).toBe('model')
    expect(classify('POST', 'https://a.example.com/x', {}, { models: ['https://a.example.com/'] })).toBe('model')
    expect(classify('POST', 'https://a.example.com/x', {}, { ignore: ({ url }) => url.endsWith('/x') })).toBe('ignored')
    expect(classify('POST', 'https://api.smith.langchain.com/runs', {}, { capture: ['api.smith.langchain.com'] })).toBe(
      'http',
    )
  })
})
