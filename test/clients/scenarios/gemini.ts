import { GoogleGenAI } from '@google/genai'
import { test } from 'turntape/vitest'
import { errorOf, keep, planned, Tools } from './scenario.ts'

const clientAtImport = clientOf('loop')

function clientOf(name: string): GoogleGenAI {
  return new GoogleGenAI({
    apiKey: process.env.GEMINI_API_KEY as string,
    httpOptions: { baseUrl: planned(name).url },
  })
}

/** The recorded body as parameters of the SDK. */
function parametersOf(name: string, model: string): any {
  const { contents, tools } = planned(name).body
  return { model, contents, config: { tools } }
}

test('a loop with parallel tools, plain, by a client of module scope', async ({ tape }) => {
  const { contents, ...parameters } = parametersOf('loop', 'gemini-2.5-flash')
  const ask = async (contents: any[]) => {
    const response = await clientAtImport.models.generateContent({ ...parameters, contents })
    return { content: response.candidates?.[0]?.content, usage: response.usageMetadata, text: response.text }
  }
  keep('loop', { ...(await contentsLoop(ask, contents)), turns: tape.turns.length })
})

test('a loop with tools and thought signatures, streamed', async () => {
  const { contents, ...parameters } = parametersOf('loop-stream', 'gemini-3-pro-preview')
  const client = clientOf('loop-stream')
  const ask = async (contents: any[]) => {
    const parts: any[] = []
    let usage: unknown
    for await (const chunk of await client.models.generateContentStream({ ...parameters, contents })) {
      parts.push(...(chunk.candidates?.[0]?.content?.parts ?? []))
      usage = chunk.usageMetadata ?? usage
    }
    return { content: { role: 'model', parts }, usage, text: parts.map(({ text = '' }) => text).join('') }
  }
  keep('loop-stream', await contentsLoop(ask, contents))
})

async function contentsLoop(ask: (contents: any[]) => Promise<any>, first: readonly unknown[]): Promise<object> {
  const tools = new Tools()
  const contents: unknown[] = [...first]
  const usage = []
  for (let step = 0; step < 5; step += 1) {
    const answer = await ask(contents)
    usage.push(answer.usage)
    contents.push(answer.content)
    const calls = answer.content.parts.flatMap(({ functionCall }: any) => (functionCall ? [functionCall] : []))
    if (calls.length === 0) return { text: answer.text, ran: tools.ran, usage }
    const parts = calls.map(({ name, args, id }: any) => ({
      functionResponse: { name, ...(id && { id }), response: { result: tools.run(name, args) } },
    }))
    contents.push({ role: 'user', parts })
  }
  return { endless: true }
}

test('an error of the provider', async () => {
  const parameters = { model: 'gemini-2.5-flash', contents: planned('quota').body.contents }
  keep('quota', await errorOf(() => clientOf('quota').models.generateContent(parameters)))
})

test('the key in the query, as the REST examples have it', async () => {
  const { url, body } = planned('query-key')
  const path = '/v1beta/models/gemini-2.5-flash:generateContent'
  const response = await fetch(`${url}${path}?key=${process.env.GEMINI_API_KEY}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  keep('query-key', { status: response.status, body: await response.json() })
})
