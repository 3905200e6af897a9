/** The tool calls a turn asked for, each with the result that the recording holds of it. */
import { isDeepStrictEqual } from 'node:util'
import type { Json, ValueInteraction, ValueResult } from '../core/cassette/document.ts'
import { isReadInPart } from '../core/cassette/read-in-part.ts'
import type { Block, ToolCallBlock, ToolResultBlock } from '../wire/block.ts'
import type { SentToolResult } from '../wire/request-reader.ts'

export interface ToolCall {
  /** As the provider gave it; may repeat within a cassette. */
  readonly id?: string
  readonly name: string
  /** Text where the model wrote no JSON, or was cut in it. */
  readonly arguments: Json
  /** True: the provider ran the tool itself. */
  readonly byProvider?: true
  /** Absent: the recording holds none, the call was not answered. */
  readonly result?: ToolCallResult
  /** The recorded run of the tool (`tape.tool`) that answered this call. */
  readonly run?: ValueInteraction
}

export interface ToolCallResult {
  /** As the model got it; of a `run`, the value it gave back. */
  readonly output: Json
  /** True: it was handed on as the result of a call that failed, or the run threw. */
  readonly isError?: true
  /** `request`: the next request carries it. `run`: `tape.tool` recorded it. `answer`: the provider ran the tool. */
  readonly from: 'request' | 'run' | 'answer'
}

export interface ToolCallSources {
  readonly blocks: readonly Block[]
  readonly toolRuns: readonly ValueInteraction[]
  /** Results that this turn's own request carried already: those of earlier turns. */
  readonly carried: readonly SentToolResult[]
  /** Results in each later request of the lane, nearest first. Read only as far as needed. */
  readonly later: Iterable<readonly SentToolResult[]>
}

export function toolCallsOf({ blocks, toolRuns, carried, later }: ToolCallSources): readonly ToolCall[] {
  const asked = blocks.filter((block) => block.kind === 'tool call')
  if (asked.length === 0) return []
  const own = asked.filter(({ byProvider }) => byProvider !== true)
  const sent =
    own.length === 0 ? new Map<ToolCallBlock, SentToolResult>() : firstAnswers({ asked: own, carried, later })
  const runs = pairRuns(asked, toolRuns)
  return asked.map((call) =>
    toolCall(call, { sent: sent.get(call), run: runs.get(call), answered: inAnswer(call, blocks) }),
  )
}

interface Found {
  readonly sent: SentToolResult | undefined
  readonly run: ValueInteraction | undefined
  readonly answered: ToolResultBlock | undefined
}

function toolCall(block: ToolCallBlock, { sent, run, answered }: Found): ToolCall {
  const { id, name, byProvider } = block
  const result = resultOf({ sent, run, answered })
  return {
    ...(id !== undefined && { id }),
    name,
    arguments: 'json' in block.arguments ? block.arguments.json : block.arguments.text,
    ...(byProvider !== undefined && { byProvider }),
    ...(result !== undefined && { result }),
    ...(run !== undefined && { run }),
  }
}

function resultOf({ sent, run, answered }: Found): ToolCallResult | undefined {
  if (sent !== undefined) return { output: sent.output, ...(sent.isError && { isError: true }), from: 'request' }
  if (answered !== undefined) return { output: answered.output, from: 'answer' }
  return run === undefined ? undefined : { ...runOutput(run.result), from: 'run' }
}

function runOutput(result: ValueResult): Pick<ToolCallResult, 'output' | 'isError'> {
  if ('value' in result) return { output: result.value }
  if ('undefined' in result) return { output: null }
  if ('elements' in result) {
    const { elements, error } = result
    return { output: elements, ...(error !== undefined && !isReadInPart(error) && { isError: true }) }
  }
  return { output: result.error.message, isError: true }
}

function inAnswer({ id, byProvider }: ToolCallBlock, blocks: readonly Block[]): ToolResultBlock | undefined {
  if (byProvider !== true || id === undefined) return undefined
  return blocks.filter((block) => block.kind === 'tool result').find((block) => block.id === id)
}

interface Answers {
  readonly asked: readonly ToolCallBlock[]
  readonly carried: readonly SentToolResult[]
  readonly later: Iterable<readonly SentToolResult[]>
}

/** Of the nearest later request that answers one of the calls. */
function firstAnswers({ asked, carried, later }: Answers): ReadonlyMap<ToolCallBlock, SentToolResult> {
  for (const results of later) {
    const added = results.findIndex((result, index) => !isDeepStrictEqual(result, carried[index]))
    const pairs = pairResults(asked, added < 0 ? [] : results.slice(added))
    if (pairs.size > 0) return pairs
  }
  return new Map()
}

/**
 * AR-27: a result belongs to the latest earlier call with its id, so both lists are read from the end. Results without an
 * id (Gemini) are paired by name.
 */
function pairResults(
  asked: readonly ToolCallBlock[],
  results: readonly SentToolResult[],
): ReadonlyMap<ToolCallBlock, SentToolResult> {
  const pairs = new Map<ToolCallBlock, SentToolResult>()
  const left = new Set(results.toReversed())
  for (const call of asked.toReversed()) {
    const found = [...left].find((result) => answers(result, call))
    if (found === undefined) continue
    left.delete(found)
    pairs.set(call, found)
  }
  return pairs
}

function answers(result: SentToolResult, call: ToolCallBlock): boolean {
  if (result.id !== undefined && call.id !== undefined) return result.id === call.id
  return result.name === undefined || result.name === call.name
}

type Fits = (run: ValueInteraction, call: ToolCallBlock) => boolean

const sameName: Fits = (run, call) => run.request.name === call.name
const sameId: Fits = (run, call) => run.callId !== undefined && run.callId === call.id
const sameArguments: Fits = (run, call) =>
  'json' in call.arguments && isDeepStrictEqual(runArguments(run), call.arguments.json)

/** A server's tool (`files.read_file`): the model knows it as `read_file`, or with a prefix of the framework's. */
const sameServerTool: Fits = ({ request: { name } }, call) => {
  const tool = name.slice(name.indexOf('.') + 1)
  return tool !== name && (call.name === tool || /[^A-Za-z0-9]$/.test(before(call.name, tool)))
}

/** The closest first. An id alone will do: a wrapper may know the tool by another name than the model does. */
const closeness: readonly Fits[] = [
  (run, call) => sameId(run, call) && sameName(run, call),
  sameId,
  (run, call) => sameName(run, call) && sameArguments(run, call),
  sameName,
  (run, call) => sameServerTool(run, call) && sameArguments(run, call),
  sameServerTool,
]

/** What stands before an ending; empty where it is not one. */
function before(text: string, ending: string): string {
  return text.endsWith(ending) ? text.slice(0, -ending.length) : ''
}

/** Each run once. */
function pairRuns(
  asked: readonly ToolCallBlock[],
  runs: readonly ValueInteraction[],
): ReadonlyMap<ToolCallBlock, ValueInteraction> {
  const pairs = new Map<ToolCallBlock, ValueInteraction>()
  const left = new Set(runs)
  for (const fits of closeness) {
    for (const call of asked) {
      const found = pairs.has(call) ? undefined : [...left].find((run) => fits(run, call))
      if (found === undefined) continue
      left.delete(found)
      pairs.set(call, found)
    }
  }
  return pairs
}

/** What a tool ran with. `tape.tool` records a list of arguments; a tool that a model calls has one, an object. */
export function runArguments({ request: { input } }: ValueInteraction): Json {
  const list = Array.isArray(input) ? (input as readonly Json[]) : undefined
  return list?.length === 1 ? (list[0] as Json) : input
}
