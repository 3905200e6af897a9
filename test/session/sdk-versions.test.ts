import { createAnthropic } from '@ai-sdk/anthropic'
import { createOpenAI } from '@ai-sdk/openai'
import { generateText, type LanguageModel, streamText } from 'ai'
import OpenAI from 'openai'
import { expect, test } from 'vitest'
import type { CapturedRequest } from '../../src/core/capture/captured-request.ts'
import { sdkVersions } from '../../src/session/calls/sdk-versions.ts'
import { SeenSdks } from '../../src/session/calls/seen-sdks.ts'

/** What the first request of the client says of itself. */
async function versionsOf(call: (fetch: typeof globalThis.fetch) => Promise<unknown>): Promise<object> {
  const seen: object[] = []
  await call(async (input, init) => {
    const headers = [...new Request(input, init).headers]
    const request = { method: 'POST', url: 'https://api.example.com/', headers } as unknown as CapturedRequest
    seen.push(sdkVersions(request, (name) => `${name} of the project`))
    return new Response('{}', { status: 400 })
  }).catch(() => undefined)
  return seen[0] ?? {}
}

const version = expect.stringMatching(/^\d+\.\d+\.\d+/)

async function stream(model: LanguageModel): Promise<void> {
  for await (const _part of streamText({ model, prompt: 'x', maxRetries: 0, onError: () => undefined }).fullStream);
}

test('F3 the versions of SDKs are those that their requests name', async () => {
  const apiKey = 'x'
  expect(
    await versionsOf((fetch) => new OpenAI({ apiKey, fetch, maxRetries: 0 }).models.list().then(() => undefined)),
  ).toEqual({ openai: version })
  expect(
    await versionsOf((fetch) =>
      generateText({ model: createOpenAI({ apiKey, fetch }).chat('gpt-5'), prompt: 'x', maxRetries: 0 }),
    ),
  ).toEqual({ ai: version })
})

test('F3 the AI SDK is named where only its provider names itself', async () => {
  const apiKey = 'x'
  expect(await versionsOf((fetch) => stream(createOpenAI({ apiKey, fetch }).chat('gpt-5')))).toEqual({
    '@ai-sdk/openai': version,
    ai: 'ai of the project',
  })
  expect(await versionsOf((fetch) => stream(createAnthropic({ apiKey, fetch })('claude')))).toEqual({
    '@ai-sdk/anthropic': version,
    ai: 'ai of the project',
  })
})

test('F3 of all SDKs that a test used each is named, in the version of its last request', () => {
  const asked: string[] = []
  const seen = new SeenSdks((name) => {
    asked.push(name)
    return '6.0.0'
  })
  for (const agent of ['OpenAI/JS 6.1.0', 'OpenAI/JS 6.1.0', 'ai-sdk/openai/3.0.1', 'OpenAI/JS 6.2.0', 'mine']) {
    seen.see({
      method: 'POST',
      url: 'https://api.example.com/',
      headers: [['user-agent', agent]],
      body: undefined,
      road: 'fetch',
    })
  }
  expect(asked).toEqual([])
  expect(seen.versions).toEqual({ openai: '6.2.0', '@ai-sdk/openai': '3.0.1', ai: '6.0.0' })
})
