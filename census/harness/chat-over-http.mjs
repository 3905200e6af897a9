/** An OpenAI chat call as code without an SDK makes it: for clients that only know HTTP. */
export const pathOfChat = '/v1/chat/completions'
export const jsonHeaders = { 'content-type': 'application/json' }

export const bodyOf = (text, stream) =>
  JSON.stringify({ model: 'census-model', messages: [{ role: 'user', content: text }], stream })

export const contentOf = (answer) => answer.choices[0].message.content

/** The chunks as they came, as text that hides no byte. */
export async function* chunksOf(bytes) {
  for await (const chunk of bytes) yield Buffer.from(chunk).toString('latin1')
}

/** A client that has a `fetch`. */
export function fetchCell(packageName, fetch) {
  return {
    package: packageName,
    rawChunks: true,
    build: (url) => url + pathOfChat,
    async ask({ client, text }) {
      const response = await fetch(client, { method: 'POST', headers: jsonHeaders, body: bodyOf(text, false) })
      const answer = await response.json()
      if (!response.ok) throw new Error(`${response.status}: ${answer.error.message}`)
      return contentOf(answer)
    },
    async *stream({ client, text, signal }) {
      const body = bodyOf(text, true)
      yield* chunksOf((await fetch(client, { method: 'POST', headers: jsonHeaders, body, signal })).body)
    },
  }
}
