/**
 * Tools of any known form, recorded: what `tape.tools` does. Knows how tools come together (a record, an array, an
 * agent, a client); the form of one tool is in `tool-forms.ts`, and whether a call runs is the session's business.
 */
import { ReplayError } from '../../errors/replay-error.ts'
import type { AnyFunction } from '../calls/value-codec.ts'
import { copyWith, hasFunction, isClass, isObject, isPlainObject, type Members } from './members.ts'
import { isAgent, recordedAgent } from './recorded-agent.ts'
import { isMcpClient, recordedClient } from './recorded-client.ts'
import { recordedFunction } from './recorded-function.ts'
import type { RecordTool } from './tool-call.ts'
import { isUnknownTool, recordedTool, runsElsewhere } from './tool-forms.ts'

/** The same tools, recorded, of the same type. Errors: TURNTAPE_USAGE for what has a function in no known form. */
export function recordedTools<T extends object>(tools: T, record: RecordTool): T {
  const wrapper = new ToolWrapper(record)
  const recorded = wrapper.collection(tools)
  if (recorded === undefined || (wrapper.found === 0 && Reflect.ownKeys(tools).some((key) => key !== 'length')))
    throw unknownForm(undefined)
  return recorded as T
}

/** One exported tool or agent of a module, recorded; undefined for anything else. */
export function recordedExport(value: unknown, key: string, record: RecordTool): unknown {
  if (!isObject(value) || Array.isArray(value)) return undefined
  return new ToolWrapper(record).known(value, key)
}

class ToolWrapper {
  /** Tools met so far, those that run elsewhere among them. */
  found = 0
  readonly #record: RecordTool
  readonly #agents = new Map<object, object>()

  constructor(record: RecordTool) {
    this.#record = record
  }

  /** Undefined for what is no collection of tools and no tool. */
  collection(tools: object): object | undefined {
    if (Array.isArray(tools)) return tools.map((tool: unknown) => this.#member(tool, undefined))
    if (typeof tools === 'function') return this.#member(tools, undefined) as object
    const isRecord = isPlainObject(tools) && Object.values(tools).every((value) => isToolLike(value))
    const known = isRecord ? undefined : this.known(tools as Members, undefined)
    if (known !== undefined) return known as object
    if (!isPlainObject(tools)) return undefined
    const members = Object.entries(tools).map(([key, value]) => [key, this.#member(value, key)])
    return copyWith(tools, Object.fromEntries(members))
  }

  /** A tool, an agent or a client of known form, recorded. */
  known(value: Members, key: string | undefined): unknown {
    const recorded = isAgent(value)
      ? recordedAgent(value, { part: (part) => this.#member(part, undefined), known: this.#agents })
      : isMcpClient(value)
        ? recordedClient(value, this.#record)
        : recordedTool(value, key, this.#record)
    if (recorded !== undefined) this.found++
    return recorded
  }

  #member(value: unknown, key: string | undefined): unknown {
    if (typeof value === 'function' && !isClass(value)) {
      this.found++
      return recordedFunction(value as AnyFunction, { name: key ?? value.name, record: this.#record })
    }
    const known = isObject(value) ? this.known(value, key) : undefined
    if (known !== undefined) return known
    if (runsElsewhere(value)) this.found++
    // Left as it is, it would run in replay.
    else if (isUnknownTool(value)) throw unknownForm(key)
    return value
  }
}

/** A function, or an object with one: `{ execute() {} }` alone is a record of functions, not an AI SDK tool. */
function isToolLike(value: unknown): boolean {
  return typeof value === 'function' || (isObject(value) && hasFunction(value, 'execute'))
}

function unknownForm(key: string | undefined): ReplayError {
  const what = key === undefined ? 'what tape.tools() was given' : `the tool "${key}"`
  return new ReplayError('TURNTAPE_USAGE', {
    problem: `${what} has none of the forms that tape.tools() knows`,
    remedy:
      'Known are AI SDK tools, OpenAI Agents tools and Agents, LangChain tools, MCP clients, the tools of Anthropic’s ' +
      'runner and plain functions. Record the function of any other with tape.tool(name, fn).',
  })
}
