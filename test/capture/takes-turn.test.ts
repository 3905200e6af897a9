import { expect, test } from 'vitest'
import { looksLikeModelPath, takesTurn } from '../../src/core/capture/model-call.ts'

test.each([
  'https://api.openai.com/v1/chat/completions',
  'https://x.openai.azure.com/openai/deployments/text-embedding/chat/completions?api-version=1#x',
  'https://api.openai.com/v1/responses',
  'https://api.openai.com/v1/responses/compact',
  'https://api.anthropic.com/v1/messages?beta=true',
  'https://api.anthropic.com/v1/complete',
  'https://generativelanguage.googleapis.com/v1beta/models/gemini-embed:generateContent',
  'https://generativelanguage.googleapis.com/v1beta/interactions',
  'https://bedrock-runtime.us-east-1.amazonaws.com/model/anthropic.claude/converse-stream',
  'https://api.cohere.com/v2/chat',
  'http://localhost/api/generate',
])('a model call to %s is a turn where it is answered', (url) => {
  expect([looksLikeModelPath('POST', new URL(url)), takesTurn('model', url)]).toEqual([true, true])
})

test.each([
  'https://api.openai.com/v1/embeddings',
  'https://generativelanguage.googleapis.com/v1beta/models/g:batchEmbedContents?key=1',
  'https://generativelanguage.googleapis.com/v1beta/models/g:countTokens',
  'https://api.anthropic.com/v1/messages/count_tokens',
  'https://api.openai.com/v1/responses/input_tokens',
  'https://bedrock-runtime.us-east-1.amazonaws.com/model/amazon.titan-embed-text-v2%3A0/invoke',
  'https://api.openai.com/v1/images/generations',
  'https://api.openai.com/v1/audio/speech',
  'https://api.openai.com/v1/audio/transcriptions',
  'https://api.mistral.ai/v1/chat/moderations',
  'https://api.mistral.ai/v1/ocr',
  'https://api.cohere.com/v2/rerank',
  'http://localhost/api/embed',
])('a model call to %s is no turn', (url) => {
  expect([looksLikeModelPath('POST', new URL(url)), takesTurn('model', url)]).toEqual([true, false])
})

test('a long path is looked at once', () => {
  const path = `/model/${'embed'.repeat(200_000)}`
  expect(takesTurn('model', `https://provider.test${path}/invoke`)).toBe(false)
  expect(takesTurn('model', `https://provider.test${path}/other`)).toBe(true)
})

test('a path that nothing is known of takes a turn where the call is one of a model, and only then', () => {
  expect(takesTurn('model', 'https://gateway.test/ask')).toBe(true)
  expect(takesTurn('http', 'https://gateway.test/ask')).toBe(false)
})
