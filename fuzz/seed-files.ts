/** Real inputs to begin with: the vectors of the format, our own cassettes, and answers of providers. */
import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { encodeBody } from '../src/core/cassette/encode-body.ts'
import { writeCassette } from '../src/core/cassette/write-cassette.ts'
import { cassetteOf, httpInteraction } from '../test/cassette/sample-cassette.ts'

/** Larger ones take the time of many small ones. */
const mostSeedBytes = 48_000

const folders = ['test/formats/v1/valid', 'test/formats/v1/broken', 'cassettes']

/** `answers`: of real providers, where there are some. */
export function cassetteSeeds(answers: readonly Uint8Array[]): readonly Uint8Array[] {
  const own = folders.flatMap(filesBelow).filter((file) => file.endsWith('.json') && !file.endsWith('.meaning.json'))
  return small([
    ...own.map((file) => readFileSync(file)),
    ...answers.map((bytes) => encoder.encode(cassetteWith(bytes))),
  ])
}

export function answerSeeds(answers: readonly Uint8Array[]): readonly Uint8Array[] {
  return small([...ownAnswers.map((text) => encoder.encode(text)), ...answers])
}

const encoder = new TextEncoder()

/** Of each wire one, and of each framing. */
const ownAnswers = [
  'data: {"choices":[{"index":0,"delta":{"role":"assistant","content":"Hel"}}]}\n\ndata: {"choices":[{"index":0,"delta":{"tool_calls":[{"index":0,"id":"call_1","function":{"name":"search","arguments":"{\\"to\\":"}}]}}]}\n\ndata: {"choices":[{"index":0,"delta":{"tool_calls":[{"index":0,"function":{"arguments":"\\"Oslo\\"}"}}]},"finish_reason":"tool_calls"}]}\n\ndata: [DONE]\n\n',
  'event: message_start\ndata: {"type":"message_start","message":{"id":"msg_1","role":"assistant","content":[],"usage":{"input_tokens":3}}}\n\nevent: content_block_start\ndata: {"type":"content_block_start","index":0,"content_block":{"type":"text","text":""}}\n\nevent: content_block_delta\ndata: {"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"Hé"}  }\n\nevent: content_block_stop\ndata: {"type":"content_block_stop","index":0}\n\nevent: message_stop\ndata: {"type":"message_stop"}\n\n',
  'event: response.output_item.added\ndata: {"type":"response.output_item.added","output_index":0,"item":{"type":"message","id":"msg_1","content":[]}}\r\n\r\nevent: response.output_text.delta\ndata: {"type":"response.output_text.delta","output_index":0,"content_index":0,"delta":"Hi"}\n\nevent: response.completed\ndata: {"type":"response.completed","response":{"id":"resp_1","object":"response","output":[]}}\n\n',
  '[{"candidates":[{"content":{"parts":[{"text":"Hel"}],"role":"model"}}]}\n,\r\n{"candidates":[{"content":{"parts":[{"functionCall":{"name":"f","args":{"a":1.0}}}]},"finishReason":"STOP"}]}]',
  '{"type":"message","role":"assistant","content":[{"type":"tool_use","id":"toolu_1","name":"f","input":{"a":[1,{}]}}],"stop_reason":"tool_use"}',
  '{"error":{"message":"overloaded","type":"server_error","code":null}}\n',
  ': comment\nretry: 10\nid: 7\ndata\ndata: a\ndata: b\n\n{"a":1}\n{"a":2}\n\u0000\ufeff\r\r',
]

function cassetteWith(bytes: Uint8Array): string {
  const half = bytes.length >> 1
  const chunks = [bytes.subarray(0, half), bytes.subarray(half)].map((chunk, index) => ({ bytes: chunk, gapMs: index }))
  const { stored } = encodeBody({ chunks, end: { kind: 'complete' } }, { contentType: 'text/event-stream' })
  return writeCassette(cassetteOf(httpInteraction(1, stored), httpInteraction(2, stored)))
}

function small(seeds: readonly Uint8Array[]): readonly Uint8Array[] {
  return seeds.filter((bytes) => bytes.length <= mostSeedBytes)
}

function filesBelow(folder: string): readonly string[] {
  const root = fileURLToPath(new URL(`../${folder}/`, import.meta.url))
  return readdirSync(root, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => `${entry.parentPath}/${entry.name}`)
    .sort()
}
