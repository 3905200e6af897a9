/** `docs/cassette-sizes.md`: what the streams of the corpus take in a cassette, beside what else they could take. */
import { gzipSync } from 'node:zlib'
import { writeCassette } from '../../src/core/cassette/write-cassette.ts'
import {
  bodyLines,
  type CorpusStream,
  type FiledExchange,
  recordStream,
  streamsOf,
} from '../../test/cassette/corpus-streams.ts'
import { toolLoop } from '../../test/cassette/tool-loop.ts'
import { streamedAnswer } from '../../test/life/wire-answers.mjs'

/** Streams of fewer events are in the sums only. */
const leastListed = 50

/** Printed on demand. */
const printed = [
  'http/fantasy/TestAnthropicThinking/claude-sonnet-4/thinking-streaming.yaml 1',
  'http/fantasy/TestOpenAICommon/openai-gpt-5/multi_tool_streaming.yaml 1',
  'http/openllmetry/opentelemetry-instrumentation-ollama/test_ollama_metrics/test_ollama_streaming_metrics.yaml 0',
]

export interface SizesInput {
  readonly exchanges: readonly FiledExchange[]
  /** YAML's bytes of a response: the library is CommonJS, which the loader of this file does not take. */
  readonly yamlBytes: (value: object) => number
}

export function cassetteSizes({ exchanges, yamlBytes }: SizesInput): string {
  const streams = streamsOf(exchanges)
  const sizes = (group: readonly CorpusStream[]): readonly string[] => sizesOf(group, yamlBytes)
  const listed = streams
    .filter(({ body }) => body.events.length >= leastListed)
    .sort((one, other) => other.rawBytes - one.rawBytes)
  return `# What a cassette takes

Written by \`node scripts/cassette-sizes.mjs\` from a corpus of real traffic that is kept outside this repository; each stream
recorded an event a chunk, with gaps. "In the cassette" counts the lines that the body adds to the file, cuts and gaps included.
VCR's YAML holds the text alone, without cuts or gaps.

${bounds(streams)}

## By API

${table(['API', 'streams', 'events', ...sizeHeads], byApi(streams, sizes))}

## Streams of ${leastListed} events or more

${table(
  ['stream', 'events', ...sizeHeads],
  listed.map((stream) => [shortName(stream.name), `${stream.body.events.length}`, ...sizes([stream])]),
)}

## Agent loops (F12)

Each turn adds about 1 KB to the request, and each request repeats the whole conversation.

${table(['loop', 'sent', 'distinct', 'cassette', 'of distinct'], loops())}

## How streams stand in the file

<!-- generated:streams -->

${ownStreams().trim()}

<!-- /generated -->
`
}

/** F9, for each stream. */
function bounds(streams: readonly CorpusStream[]): string {
  const long = streams.filter(({ body }) => body.events.length >= leastLong)
  const most = Math.max(...long.map(({ storedBytes, rawBytes }) => storedBytes / rawBytes))
  const added = Math.max(...streams.map(({ storedBytes, rawBytes }) => storedBytes - rawBytes))
  return `None of the ${streams.length} streams takes more than ${bytes(added)} bytes beyond its own (F9: at most 1,024), and the ${long.length} of ${leastLong} events or more take
at most ${percent(most, 1)} of theirs (F9: at most 40 %).`
}

/** F9 speaks of so many deltas. */
const leastLong = 200

/** Three streams of a model of our own, as they stand in a cassette: \`npm run docs\` keeps them true. */
export function ownStreams(): string {
  const calls = [{ name: 'search_flights', input: { from: 'Berlin', to: 'Oslo', day: 'Friday' } }]
  const text = 'I will look for a flight from Berlin to Oslo on Friday.'
  const answer = { model: 'model-1', text, calls, newId: (prefix: string) => `${prefix}1`, createdAt: 1764504000 }
  const named = [
    ['OpenAI chat completions', 'chat'],
    ['Anthropic', 'anthropic'],
    ['Gemini', 'gemini'],
  ] as const
  return named
    .map(([name, wire]) => {
      const body = recordStream(streamedAnswer(wire, answer).join(''), 'text/event-stream')
      return `${name}:\n\n\`\`\`json\n${bodyLines(body)}\n\`\`\`\n`
    })
    .join('\n')
}

/** Three streams as they stand in the file, for a look: real traffic, which is not kept in this repository. */
export function printedStreams(exchanges: readonly FiledExchange[]): string {
  return streamsOf(exchanges)
    .filter(({ name }) => printed.includes(name))
    .map(({ name, body }) => `${name}\n\n${bodyLines(body)}\n`)
    .join('\n')
}

const sizeHeads = ['raw', 'in the cassette', 'of raw', 'raw, gzip', 'cassette, gzip', 'VCR YAML']

function sizesOf(streams: readonly CorpusStream[], yamlBytes: SizesInput['yamlBytes']): readonly string[] {
  const sum = (sizeOf: (stream: CorpusStream) => number): number =>
    streams.reduce((total, stream) => total + sizeOf(stream), 0)
  const [raw, stored] = [sum(({ rawBytes }) => rawBytes), sum(({ storedBytes }) => storedBytes)]
  return [
    bytes(raw),
    bytes(stored),
    percent(stored, raw),
    bytes(sum(({ text }) => gzipSync(text).byteLength)),
    bytes(sum(({ body }) => gzipSync(bodyLines(body)).byteLength)),
    bytes(sum(({ text }) => yamlBytes({ body: { string: text } }))),
  ]
}

function byApi(
  streams: readonly CorpusStream[],
  sizes: (group: readonly CorpusStream[]) => readonly string[],
): readonly (readonly string[])[] {
  return [...new Set(streams.map(apiOf))].sort().map((api) => {
    const group = streams.filter((stream) => apiOf(stream) === api)
    const events = group.reduce((total, { body }) => total + body.events.length, 0)
    return [api, `${group.length}`, `${events}`, ...sizes(group)]
  })
}

const apis: readonly (readonly [pattern: RegExp, api: string])[] = [
  [/\/chat\/completions/, 'chat completions'],
  [/\/responses/, 'Responses'],
  [/\/messages|\/complete\b/, 'Anthropic'],
  [/streamGenerateContent|\/interactions/, 'Gemini'],
  [/\/api\/(?:chat|generate)/, 'Ollama'],
]

function apiOf({ path }: CorpusStream): string {
  return apis.find(([pattern]) => pattern.test(path))?.[1] ?? 'others'
}

function loops(): readonly (readonly string[])[] {
  const options = { callCharacters: 250, resultCharacters: 620 }
  return (['json', 'stream'] as const).flatMap((answers) =>
    [50, 200].map((turns) => {
      const { cassette, sentBytes, distinctBytes } = toolLoop({ ...options, turns, answers })
      const size = Buffer.byteLength(writeCassette(cassette))
      const name = `${turns} turns, ${answers === 'json' ? 'JSON answers' : 'streamed answers'}`
      return [name, bytes(sentBytes), bytes(distinctBytes), bytes(size), percent(size, distinctBytes)]
    }),
  )
}

function table(heads: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`
  return [line(heads), line(heads.map((_, index) => (index === 0 ? '---' : '---:'))), ...rows.map(line)].join('\n')
}

function shortName(name: string): string {
  const parts = name.replace(/^http\//, '').split('/')
  return `${parts[0]}: ${parts.slice(-2).join('/')}`.replaceAll('_', '\\_')
}

function bytes(count: number): string {
  return count.toLocaleString('en-US')
}

function percent(part: number, whole: number): string {
  return `${((100 * part) / whole).toFixed(0)} %`
}
