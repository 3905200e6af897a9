/** An agent of each provider's own SDK that calls tools until the model answers: the code under test, as a file of a project. */
export const fourWiresAgent = `import Anthropic from '@anthropic-ai/sdk'
import { GoogleGenAI } from '@google/genai'
import OpenAI from 'openai'

const baseURL = process.env.MODEL_URL
const openai = new OpenAI({ baseURL: baseURL + '/v1' })
const anthropic = new Anthropic({ baseURL })
const gemini = new GoogleGenAI({ httpOptions: { baseUrl: baseURL } })
const parameters = { type: 'object', properties: { place: { type: 'string' } } }
const about = { name: 'look', description: 'Looks at a place. '.repeat(20) }

/** Each: what stands in the conversation first, how the model is asked, what is added for its results. */
const wires = {
  chat: {
    user: (content) => ({ role: 'user', content }),
    async ask(model, messages, streamed) {
      const body = { model, messages, tools: [{ type: 'function', function: { ...about, parameters } }] }
      const chat = openai.chat.completions
      const answer = streamed ? await chat.stream(body).finalChatCompletion() : await chat.create(body)
      const { content, tool_calls = [] } = answer.choices[0].message
      const asked = tool_calls.map(({ id, type, function: { name, arguments: text } }) => ({ id, type, function: { name, arguments: text } }))
      const calls = asked.map(({ id, function: { arguments: text } }) => ({ id, input: JSON.parse(text) }))
      return { text: content, calls, added: [{ role: 'assistant', content, tool_calls: asked }] }
    },
    results: (results) => results.map(({ id, output }) => ({ role: 'tool', tool_call_id: id, content: output })),
  },
  responses: {
    user: (content) => ({ role: 'user', content }),
    async ask(model, input, streamed) {
      const body = { model, input, tools: [{ type: 'function', ...about, parameters }] }
      const answer = streamed ? await openai.responses.stream(body).finalResponse() : await openai.responses.create(body)
      const message = { role: 'assistant', content: answer.output_text }
      const asked = answer.output.filter(({ type }) => type === 'function_call')
      const items = asked.map(({ type, id, call_id, name, arguments: text }) => ({ type, id, call_id, name, arguments: text }))
      const calls = asked.map(({ call_id, arguments: text }) => ({ id: call_id, input: JSON.parse(text) }))
      return { text: answer.output_text, calls, added: [message, ...items] }
    },
    results: (results) => results.map(({ id, output }) => ({ type: 'function_call_output', call_id: id, output })),
  },
  anthropic: {
    user: (content) => ({ role: 'user', content }),
    async ask(model, messages, streamed) {
      const body = { model, max_tokens: 500, messages, tools: [{ ...about, input_schema: parameters }] }
      const answer = streamed ? await anthropic.messages.stream(body).finalMessage() : await anthropic.messages.create(body)
      const calls = answer.content.filter(({ type }) => type === 'tool_use')
      return { text: answer.content[0].text, calls, added: [{ role: 'assistant', content: answer.content }] }
    },
    results: (results) => [{ role: 'user', content: results.map(({ id, output }) => ({ type: 'tool_result', tool_use_id: id, content: output })) }],
  },
  gemini: {
    user: (text) => ({ role: 'user', parts: [{ text }] }),
    async ask(model, contents, streamed) {
      const body = { model, contents, config: { tools: [{ functionDeclarations: [{ ...about, parametersJsonSchema: parameters }] }] } }
      const parts = []
      const answers = streamed ? await gemini.models.generateContentStream(body) : [await gemini.models.generateContent(body)]
      for await (const answer of answers) parts.push(...answer.candidates[0].content.parts)
      const calls = parts.flatMap(({ functionCall }) => (functionCall ? [{ input: functionCall.args }] : []))
      return { text: parts.map(({ text = '' }) => text).join(''), calls, added: [{ role: 'model', parts }] }
    },
    results: (results) => [{ role: 'user', parts: results.map(({ output }) => ({ functionResponse: { name: 'look', response: { output } } })) }],
  },
}

/** notes: what the user says before a turn, by its number. */
export async function walk({ wire, streamed, plan, look, notes = {} }) {
  const { user, ask, results } = wires[wire]
  const conversation = [user('Look at all rooms. ' + 'They are many. '.repeat(20))]
  for (let turn = 1; ; turn += 1) {
    if (notes[turn] !== undefined) conversation.push(user(notes[turn]))
    const { text, calls, added } = await ask('plan-' + plan, conversation, streamed)
    if (calls.length === 0) return text
    const done = await Promise.all(calls.map(async ({ id, input }) => ({ id, output: await look(input) })))
    conversation.push(...added, ...results(done))
  }
}
`
