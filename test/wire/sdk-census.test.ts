/** Every answer of the corpus says what the official SDK makes of the same bytes; `docs/wires.md` has the figures. */
import { fileURLToPath } from 'node:url'
import { isDeepStrictEqual } from 'node:util'
import { expect, onTestFinished, test, vi } from 'vitest'
import type { DecodedAnswer } from '../../src/wire/block.ts'
import { decodeAnswer } from '../../src/wire/decode-answer.ts'
import { hasCorpus } from '../corpus/corpus.ts'
import { answerText, type CorpusAnswer, corpusAnswers, isText } from './corpus-answers.ts'
import { type AnswerFacts, factsOf, hasSdk, sdkFacts } from './sdk-facts.ts'

/** Answers that the SDK reads otherwise or not at all, by a part of their names. */
const knownDifferences: Readonly<Record<string, string>> = {
  test_background_mode_streaming_starting_after_vcr: 'refused by the SDK: a stream joined in the middle',
  'openai-phase.1': 'refused by the SDK: output indexes with gaps',
  'duplicate-message-start': 'refused by the SDK: a second `message_start`',
  'spliced-message-start': 'refused by the SDK: a second `message_start`',
  'mistral-incremental-tool-call': 'refused by the SDK: no role, or no finish reason',
  'huggingface-v4-latest': 'refused by the SDK: no role, or no finish reason',
  test_tools_streaming_variant_a: 'refused by the SDK: no role, or no finish reason',
  test_groq_model_thinking_part_iter: 'usage under `x_groq`, which the SDK does not look at',
  test_mistral_model_thinking_part_iter: 'content in parts, which the SDK joins to `[object Object]`',
  'google-stream-tool-call-arguments': 'arguments in pieces, which the SDK gives one by one',
}

type Verdict = 'equal' | 'an error for both' | { readonly known: string }

const page = fileURLToPath(new URL('../../docs/wires.md', import.meta.url))

test.skipIf(!hasCorpus)(
  'every SSE and JSON answer has the text, tool calls, usage and finish reason of the official SDK (skipped where there is no corpus)',
  { timeout: 120_000 },
  async () => {
    // @google/genai warns of each text that has tool calls beside it.
    const warn = vi.spyOn(console, 'warn').mockImplementation(() => {})
    onTestFinished(() => warn.mockRestore())
    const rows = new Map<string, Verdict[]>()
    for (const answer of await corpusAnswers()) {
      const { url, request, bytes } = answer
      const ours = decodeAnswer({ url, ...(request !== undefined && { request }), body: [bytes] })
      if (ours === undefined || !hasSdk(ours.wire) || !isText(answer)) continue
      const isStream = /^\s*[^\s[{]/.test(answerText(answer))
      const row = `${ours.wire} | ${isStream ? 'stream' : 'JSON'}`
      const verdict = judge({ answer, ours, theirs: await sdkFacts(ours.wire, { ...answer, isStream }).catch(asError) })
      rows.set(row, [...(rows.get(row) ?? []), verdict])
    }
    for (const why of Object.values(knownDifferences)) expect([...rows.values()].flat()).toContainEqual({ known: why })
    await expect(pageOf(rows)).toMatchFileSnapshot(page)
  },
)

function asError(error: unknown): Error {
  return error as Error
}

interface Judged {
  readonly answer: CorpusAnswer
  readonly ours: DecodedAnswer
  readonly theirs: AnswerFacts | Error
}

function judge({ answer, ours, theirs }: Judged): Verdict {
  const known = Object.entries(knownDifferences).find(([name]) => answer.name.includes(name))?.[1]
  if (!(theirs instanceof Error)) {
    if (known !== undefined && !isDeepStrictEqual(factsOf(ours), theirs)) return { known }
    expect(factsOf(ours), answer.name).toEqual(theirs)
    return 'equal'
  }
  if (ours.error === undefined) {
    expect(known, `${answer.name}: ${theirs.message}`).toBeDefined()
    return { known: known ?? '' }
  }
  // Where its body is none that the SDK knows, it gives the status alone.
  if (!/^\d+ status code \(no body\)$/.test(theirs.message)) {
    expect(spelledOut(theirs.message), answer.name).toContain(spelledOut(ours.error.message))
  }
  return 'an error for both'
}

/** An SDK that gives the body as JSON has its line feeds and quotes escaped. */
function spelledOut(message: string): string {
  return message.replaceAll('\\n', '\n').replaceAll('\\"', '"').replaceAll('\\', '')
}

function pageOf(rows: ReadonlyMap<string, readonly Verdict[]>): string {
  const count = (verdicts: readonly Verdict[], of: (verdict: Verdict) => boolean): number => verdicts.filter(of).length
  const table = [...rows]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([row, verdicts]) => {
      const equal = count(verdicts, (verdict) => verdict === 'equal')
      const errors = count(verdicts, (verdict) => verdict === 'an error for both')
      return `| ${row} | ${verdicts.length} | ${equal} | ${errors} | ${verdicts.length - equal - errors} |`
    })
  const known = new Map<string, number>()
  for (const verdict of [...rows.values()].flat()) {
    if (typeof verdict === 'object') known.set(verdict.known, (known.get(verdict.known) ?? 0) + 1)
  }
  return `# The wires

A wire is the way a provider's API writes requests and answers. Every call is recorded and served byte for byte, whatever it speaks; of the
wires below turntape also reads what was said: turns, tools, settings, tokens, the layers of a divergence.

| wire | spoken by | known by its path |
| --- | --- | --- |
| openai-chat | OpenAI, Azure, Groq, OpenRouter, Mistral, DeepSeek, xAI, Together, Fireworks, Perplexity, Hugging Face, vLLM; Gemini and Ollama on their compatible paths | \`…/chat/completions\`, \`…/completions\` |
| openai-responses | OpenAI, Azure, xAI, Bedrock's OpenAI models | \`…/responses\` |
| anthropic-messages | Anthropic, Vertex, Bedrock's own calls | \`…/messages\` |
| gemini | Google AI, Vertex: as events or as one array | \`…:generateContent\`, \`…:streamGenerateContent\` |
| bedrock-converse | Amazon Bedrock | \`/model/<id>/converse\`, \`…/converse-stream\` |
| cohere | Cohere, versions 2 and 1 | \`/v2/chat\`, \`/v1/chat\` |
| ollama | Ollama, on this machine as well | \`/api/chat\`, \`/api/generate\` |

The form of an answer counts more than its path, so that a gateway may put any wire under any path.

## Model calls that are no turn

Embeddings, rerank, moderation, counts of tokens, pictures, speech and transcription are model calls: captured on a loopback host too,
compared and served exactly. They are no step of a conversation, so they are not in \`tape.turns\` and have no number for \`from\`
and \`upTo\`. Their tokens are in \`tape.usage\`, as far as the answers say them. With \`strict: false\` they are answered as
other HTTP calls are: by an equal one, else by the next to the same address.

## What is polled

- A response in the background: the call that begins it is the turn, and the turn says what the last reading of it says
  (\`GET …/responses/<id>\`, streamed or not). The readings are HTTP calls, served in the order recorded; on a loopback host they are captured as well.
- A batch: upload, creation, each look at its status and the results are HTTP calls. On a loopback host name the server in \`capture\`.
- A run that looks more often than the recorded one needs \`allow: { repeatedGets: true }\`; one that looks less often leaves calls unused.

## Against the official SDKs

Every answer of our collection of recorded exchanges (they are other projects' and not part of this repository), decoded by us and by
the provider's own SDK from the same bytes: \`openai\` (its accumulators of chat and of Responses streams), \`@anthropic-ai/sdk\` (its message stream) and
\`@google/genai\` (which has none: the chunks' own members). Equal means: the same text, the same tool calls with the same arguments, the same
finish reason, the same input and output tokens. The answers of Cohere and Ollama among them are decoded without a marker left.
\`test/wire/sdk-census.test.ts\` writes this page, with \`vitest run -u\`.

| wire | form | answers | equal | an error for both | known difference |
| --- | --- | --- | --- | --- | --- |
${table.join('\n')}

The known differences, each decoded here:

${[...known]
  .sort(([a], [b]) => (a < b ? -1 : 1))
  .map(([why, times]) => `- ${times} × ${why}`)
  .join('\n')}
`
}
