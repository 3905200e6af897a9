/** Every place of a recording where a secret can stand, as what a client sends, a server answers or a tool gives. */
import { gzipSync } from 'node:zlib'
import { pdfOf, zipOf } from '../packed-samples.ts'

/** What one planting does in the test that records it. Bytes are base64, so that it travels as JSON. */
export interface Planting {
  readonly path?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
  readonly answer?: Answer
  /** Made as a call of values instead. */
  readonly value?: ValueCall
  /** Passed to `tape.lane`. */
  readonly lane?: string
}

export interface Answer {
  readonly status?: number
  readonly statusText?: string
  readonly headers?: readonly (readonly [string, string])[]
  readonly chunks: readonly string[]
}

export interface ValueCall {
  readonly kind: 'tool' | 'call'
  readonly name: string
  readonly input: unknown
  readonly value?: unknown
  readonly elements?: readonly unknown[]
  readonly error?: { readonly message: string; readonly code?: string; readonly cause?: string }
}

export interface PlantedPlace {
  readonly name: string
  /** What a refusal calls it. */
  readonly says: string
  readonly plant: (text: string) => Planting
  /** How many events the answer had, of a stream: as many must be left. */
  readonly events?: (body: string) => number
  /** What a reader joins from the answer. */
  readonly read?: (body: string) => string
  /** A place that cannot hold every text. */
  readonly holds?: (text: string) => boolean
  /** Nothing rewrites it there: every kind refuses. Else only what the scan alone knows. */
  readonly refuses?: true
  /** Bytes that are no text: patterns of the user's own are not looked for. */
  readonly isBytes?: true
}

const base64 = (text: string | Uint8Array): string => Buffer.from(text as string).toString('base64')
const question = (content: unknown): string =>
  base64(JSON.stringify({ model: 'small', messages: [{ role: 'user', content }] }))
const plain: Answer = { chunks: [base64('{"choices":[]}')] }
const json = (value: unknown): Answer => ({
  headers: [['content-type', 'application/json']],
  chunks: [base64(JSON.stringify(value))],
})
const answered = (value: unknown): Planting => ({ answer: json(value) })
const stream = (type: string, chunks: readonly string[]): Planting => ({
  answer: { headers: [['content-type', type]], chunks: chunks.map(base64) },
})
const sse = (values: readonly unknown[]): Planting =>
  stream(
    'text/event-stream',
    values.map((value) => `data: ${JSON.stringify(value)}\n\n`),
  )
const pieces = (text: string, length = 4): string[] => [...(text.match(new RegExp(`.{1,${length}}`, 'gsu')) ?? [])]
const eventsOf = (body: string): any[] =>
  body.split('\n\n').flatMap((event) => (event.startsWith('data: ') ? [JSON.parse(event.slice(6))] : []))
const linesOf = (body: string): any[] => body.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line)]))
const oneLine = (text: string): boolean => !/\n/.test(text)
const headerText = (text: string): boolean => /^[\x20-\x7e]*$/.test(text)
const multipart = (head: string, content: string): Planting => ({
  headers: { 'content-type': 'multipart/form-data; boundary=XX' },
  body: base64(`--XX\r\nContent-Disposition: form-data; ${head}\r\n\r\n${content}\r\n--XX--\r\n`),
})
const chatDelta = (content: string, index = 0): unknown => ({ choices: [{ index, delta: { content } }] })
const value = (call: Partial<ValueCall>): Planting => ({
  value: { kind: 'call', name: 'look up', input: {}, value: 1, ...call },
})

export const plantedPlaces: readonly PlantedPlace[] = [
  {
    name: 'a message of a request',
    says: 'request body /messages/0/content',
    plant: (text) => ({ body: question(`see ${text}`) }),
  },
  {
    name: 'a member name, deep in a request',
    says: 'request body /messages/0/content/0/a/0, a member name',
    plant: (text) => ({ body: question([{ a: [{ [text]: 1 }] }]) }),
  },
  {
    name: 'JSON in a string of a request',
    says: 'request body /messages/0/content',
    plant: (text) => ({ body: question(JSON.stringify({ args: JSON.stringify([text]) })) }),
  },
  {
    name: 'the query of a URL',
    says: 'request URL',
    plant: (text) => ({ path: `?q=${encodeURIComponent(text)}`, body: question('a') }),
  },
  {
    name: 'the path of a URL',
    says: 'request URL',
    plant: (text) => ({ path: `/${encodeURIComponent(text)}`, body: question('a') }),
  },
  {
    name: 'a stored request header',
    says: 'request header openai-beta',
    holds: headerText,
    plant: (text) => ({ headers: { 'openai-beta': text }, body: question('a') }),
  },
  {
    name: 'a form field',
    says: 'request body',
    plant: (text) => ({
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: base64(new URLSearchParams({ note: `see ${text}` }).toString()),
    }),
  },
  {
    name: 'JSON in a form field',
    says: 'request body',
    plant: (text) => ({
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: base64(new URLSearchParams({ payload: JSON.stringify({ note: text }) }).toString()),
    }),
  },
  {
    name: 'a multipart field',
    says: 'request body /parts/0/text',
    plant: (text) => multipart('name="note"', `see ${text}`),
  },
  {
    name: 'the name of a multipart field',
    says: 'request body /parts/0/name',
    holds: (text) => oneLine(text) && !text.includes('"'),
    plant: (text) => multipart(`name="${text}"`, 'a'),
  },
  {
    name: 'a multipart file name',
    says: 'request body /parts/0/filename',
    holds: (text) => oneLine(text) && !text.includes('"'),
    plant: (text) => multipart(`name="a"; filename="${text}"`, 'a'),
  },
  {
    name: 'a compressed request',
    says: 'request body /messages/0/content',
    plant: (text) => ({
      headers: { 'content-encoding': 'gzip' },
      body: base64(gzipSync(Buffer.from(question(text), 'base64'))),
    }),
  },
  {
    name: 'a JSON answer',
    says: 'response body /choices/0/message/content',
    plant: (text) => answered({ choices: [{ message: { content: `it is ${text}.` } }] }),
  },
  {
    name: 'a member name of an answer',
    says: 'response body /data, a member name',
    plant: (text) => answered({ data: { [text]: true } }),
  },
  {
    name: 'JSON in JSON in a string of an answer',
    says: 'response body /arguments',
    plant: (text) => answered({ arguments: JSON.stringify({ inner: JSON.stringify({ text }) }) }),
  },
  {
    name: 'the body of an HTTP error',
    says: 'response body /error/message',
    plant: (text) => ({ answer: { ...json({ error: { message: `Incorrect key: ${text}` } }), status: 401 } }),
  },
  { name: 'an answer of plain text', says: 'response body', plant: (text) => stream('text/plain', [`it is ${text}`]) },
  {
    name: 'a location header',
    says: 'response header location',
    plant: (text) => ({
      answer: { ...plain, status: 201, headers: [['location', `https://x.test/a?q=${encodeURIComponent(text)}`]] },
    }),
  },
  {
    name: 'the URL after a redirect',
    says: 'response URL',
    plant: (text) => ({
      path: '/moved',
      answer: { chunks: [], status: 302, headers: [['location', `final?q=${encodeURIComponent(text)}`]] },
    }),
  },
  {
    name: 'another response header',
    says: 'response header content-disposition',
    holds: headerText,
    plant: (text) => ({ answer: { ...plain, headers: [['content-disposition', `attachment; filename=${text}`]] } }),
  },
  {
    name: 'the reason phrase',
    says: 'response /statusText',
    holds: headerText,
    plant: (text) => ({ answer: { ...plain, statusText: `OK ${text}` } }),
  },
  {
    name: 'text cut over deltas',
    says: 'response body, joined /choices/0/delta/content',
    plant: (text) => sse(pieces(`it is ${text}.`).map((piece) => chatDelta(piece))),
    events: (body) => eventsOf(body).length,
    read: (body) =>
      eventsOf(body)
        .map((event) => event.choices[0].delta.content)
        .join(''),
  },
  {
    name: 'tool arguments cut over deltas',
    says: 'response body, joined /delta/partial_json',
    plant: (text) =>
      sse(
        pieces(JSON.stringify({ note: text })).map((piece) => ({
          type: 'content_block_delta',
          index: 1,
          delta: { type: 'input_json_delta', partial_json: piece },
        })),
      ),
    events: (body) => eventsOf(body).length,
    read: (body) =>
      JSON.parse(
        eventsOf(body)
          .map((event) => event.delta.partial_json)
          .join(''),
      ).note,
  },
  {
    name: 'two choices whose deltas take turns',
    says: 'response body, joined /choices/0/delta/content',
    plant: (text) => sse(pieces(text, 3).flatMap((piece) => [chatDelta(piece, 0), chatDelta(piece, 1)])),
    events: (body) => eventsOf(body).length,
    read: (body) =>
      eventsOf(body)
        .flatMap(({ choices: [choice] }) => (choice.index === 1 ? [choice.delta.content] : []))
        .join(''),
  },
  {
    name: 'several parts in each event',
    says: 'response body, joined /parts/0/text',
    plant: (text) => {
      const [first = '', ...rest] = pieces(text, 3)
      return sse([{ parts: [{ text: first }] }, { parts: rest.map((piece) => ({ text: piece })) }])
    },
    events: (body) => eventsOf(body).length,
    read: (body) =>
      eventsOf(body)
        .flatMap(({ parts }) => parts.map((part: { text: string }) => part.text))
        .join(''),
  },
  {
    name: 'JSON lines',
    says: 'response body, joined /response',
    plant: (text) =>
      stream(
        'application/x-ndjson',
        pieces(text).map((response) => `${JSON.stringify({ response })}\n`),
      ),
    events: (body) => linesOf(body).length,
    read: (body) =>
      linesOf(body)
        .map((line) => line.response)
        .join(''),
  },
  {
    name: 'numbered lines of strings',
    says: 'response body, joined /0',
    plant: (text) =>
      stream(
        'text/plain',
        pieces(text).map((piece) => `0:${JSON.stringify(piece)}\n`),
      ),
    events: (body) => body.split('\n').length,
    read: (body) =>
      body
        .split('\n')
        .flatMap((line) => (line === '' ? [] : [JSON.parse(line.slice(2))]))
        .join(''),
  },
  {
    name: 'events of plain text',
    says: 'response body, joined',
    holds: oneLine,
    plant: (text) =>
      stream(
        'text/event-stream',
        pieces(text).map((piece) => `data: ${piece}\n\n`),
      ),
    events: (body) => body.split('\n\n').length,
    read: (body) =>
      body
        .split('\n\n')
        .map((event) => event.slice(6))
        .join(''),
  },
  {
    name: 'one array in pieces',
    says: 'response body, joined /t',
    plant: (text) => {
      const list = pieces(text)
      return stream(
        'application/json',
        list.map(
          (piece, index) =>
            `${index === 0 ? '[' : ',\n'}${JSON.stringify({ t: piece })}${index === list.length - 1 ? ']' : ''}`,
        ),
      )
    },
    events: (body) => JSON.parse(body).length,
    read: (body) =>
      JSON.parse(body)
        .map((element: { t: string }) => element.t)
        .join(''),
  },
  {
    name: 'an event cut at every byte',
    says: 'response body, event 1 /text',
    plant: (text) => ({
      answer: {
        headers: [['content-type', 'text/event-stream']],
        chunks: [...Buffer.from(`data: ${JSON.stringify({ text })}\n\n`)].map((byte) => base64(Uint8Array.of(byte))),
      },
    }),
    events: (body) => eventsOf(body).length,
    read: (body) =>
      eventsOf(body)
        .map((event) => event.text)
        .join(''),
  },
  {
    name: 'base64 in an answer',
    says: 'response body /data',
    refuses: true,
    plant: (text) => answered({ data: base64(`id: ${text}`) }),
  },
  {
    name: 'base64 at the end of a path',
    says: 'response body /data',
    refuses: true,
    plant: (text) => answered({ data: `/files/v-1/${base64(text)}` }),
  },
  {
    name: 'gzip in base64',
    says: 'response body /data',
    refuses: true,
    plant: (text) => answered({ data: base64(gzipSync(`id: ${text}`)) }),
  },
  {
    name: 'hex digits',
    says: 'response body /data',
    refuses: true,
    plant: (text) => answered({ data: Buffer.from(`id: ${text}`).toString('hex') }),
  },
  {
    name: 'a zip in base64',
    says: 'response body /data',
    refuses: true,
    plant: (text) => answered({ data: base64(zipOf(`id: ${text}`)) }),
  },
  {
    name: 'a page of a PDF in base64',
    says: 'response body /data',
    refuses: true,
    // A page has letters of Latin-1 alone, and its brackets are escaped.
    holds: (text) => headerText(text) && !/[()\\]/.test(text),
    plant: (text) => answered({ data: base64(pdfOf(`BT (id: ${text}) Tj ET`)) }),
  },
  {
    name: 'UTF-16 in base64',
    says: 'response body /data',
    refuses: true,
    isBytes: true,
    plant: (text) => answered({ data: base64(Buffer.from(`id: ${text}`, 'utf16le')) }),
  },
  {
    name: 'a buffer in JSON in a string',
    says: 'response body /data',
    refuses: true,
    plant: (text) => answered({ data: JSON.stringify(Buffer.from(`id: ${text}`)) }),
  },
  {
    name: 'coloured words of a terminal',
    says: 'response body /data',
    plant: (text) => answered({ data: `\u001b[1;32m${text}\u001b[0m` }),
  },
  {
    name: 'a list of bytes',
    says: 'response body, joined /data',
    refuses: true,
    plant: (text) => answered({ type: 'Buffer', data: [...Buffer.from(text)] }),
  },
  {
    name: 'an answer that is no UTF-8',
    says: 'side file',
    refuses: true,
    isBytes: true,
    plant: (text) => ({
      answer: {
        headers: [['content-type', 'application/octet-stream']],
        chunks: [
          base64(Buffer.concat([Buffer.from([0xff, 0xfe, 0]), Buffer.from(` ${text} `), Buffer.alloc(2000, 0xfe)])),
        ],
      },
    }),
  },
  {
    name: 'the input of a tool',
    says: 'input /0/path',
    plant: (text) => value({ kind: 'tool', input: { path: `a ${text}` } }),
  },
  {
    name: 'the result of a tool',
    says: 'result /0/out',
    plant: (text) => value({ kind: 'tool', value: [{ out: text }] }),
  },
  {
    name: 'elements of a call',
    says: 'result, element 1 /line',
    plant: (text) => value({ elements: [{ line: text }, { line: 'b' }] }),
  },
  {
    name: 'text cut over the elements of a call',
    says: 'result, joined',
    refuses: true,
    plant: (text) => value({ elements: pieces(text) }),
  },
  {
    name: 'the message and cause of an error',
    says: 'result /error/message',
    plant: (text) => value({ error: { message: `failed with ${text}`, cause: `because of ${text}` } }),
  },
  {
    name: 'the code of an error',
    says: 'result /error/code',
    refuses: true,
    plant: (text) => value({ error: { message: 'failed', code: text } }),
  },
  {
    name: 'the name of a tool',
    says: 'request /name',
    refuses: true,
    plant: (text) => value({ kind: 'tool', name: text }),
  },
  { name: 'the name of a lane', says: '/lane', refuses: true, plant: (text) => ({ lane: text, body: question('a') }) },
]
