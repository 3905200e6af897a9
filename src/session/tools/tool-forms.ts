/**
 * The tools of frameworks, by their form: no peer is imported, so that any version and copy of one will do. Each form
 * says what of a call counts, what the call's id is, and what is not to run in replay; all else stays the framework's.
 */
import type { AnyFunction } from '../calls/value-codec.ts'
import { copyWith, hasFunction, isObject, type Members, memberOf } from './members.ts'
import { aiSdkCallId } from './recorded-arguments.ts'
import { recordedFunction } from './recorded-function.ts'
import type { RecordTool, ToolCall } from './tool-call.ts'

interface ToolForm {
  is(tool: Members): boolean
  /** The model's name of the tool; undefined: the key under which it was found. */
  name?(tool: Members): string
  /** The member that does the work. */
  readonly member: string
  argumentsOf(args: readonly unknown[]): Pick<ToolCall, 'input' | 'callId'>
}

const ownName = (tool: Members): string => String(tool.name)

const forms: readonly ToolForm[] = [
  // OpenAI Agents: `invoke(runContext, inputText, details)`
  {
    is: (tool) => tool.type === 'function' && typeof tool.name === 'string' && hasFunction(tool, 'invoke'),
    name: ownName,
    member: 'invoke',
    argumentsOf: ([, input, details]) => ({
      input: [parsed(input)],
      callId: text(memberOf(memberOf(details, 'toolCall'), 'callId')),
    }),
  },
  // LangChain: `_call(input, runManager, config)`, below validation, callbacks and the making of the ToolMessage
  {
    is: (tool) => typeof tool.name === 'string' && hasFunction(tool, '_call') && hasFunction(tool, 'invoke'),
    name: ownName,
    member: '_call',
    argumentsOf: ([input, , config]) => ({
      input: [input],
      callId: text(memberOf(memberOf(config, 'toolCall'), 'id')),
    }),
  },
  // Anthropic's tool runner: `run(input, context)`
  {
    is: (tool) => typeof tool.name === 'string' && hasFunction(tool, 'run') && hasFunction(tool, 'parse'),
    name: ownName,
    member: 'run',
    argumentsOf: ([input]) => ({ input: [input] }),
  },
  // AI SDK: `execute(input, options)`
  {
    is: (tool) => hasFunction(tool, 'execute'),
    member: 'execute',
    argumentsOf: ([input, options]) => ({ input: [input], callId: aiSdkCallId(options) }),
  },
]

/** The tool, recorded, or undefined where its form is not known. `key` is where it was found. */
export function recordedTool(tool: Members, key: string | undefined, record: RecordTool): Members | undefined {
  const form = forms.find(({ is }) => is(tool))
  const name = form?.name?.(tool) ?? text(memberOf(tool, 'name')) ?? key
  if (form === undefined || name === undefined) return undefined
  const work = tool[form.member] as AnyFunction
  // The original keeps its own `this`, so that private members of its class are reached.
  const bound = new Proxy(work, { apply: (target, _self, args: unknown[]) => Reflect.apply(target, tool, args) })
  const recorded = recordedFunction(bound, { name, record, argumentsOf: form.argumentsOf })
  return copyWith(tool, { [form.member]: recorded })
}

/** A tool that runs elsewhere (the provider, the client) or only describes one: nothing to record. */
export function runsElsewhere(tool: unknown): boolean {
  if (!isObject(tool) || workMembers.some((member) => hasFunction(tool, member))) return false
  const inner = memberOf(tool, 'function')
  if (hasFunction(inner, 'function') || hasFunction(tool, 'function')) return false
  return typeof tool.type === 'string' || 'inputSchema' in tool || 'parameters' in tool || 'input_schema' in tool
}

/** Members under which frameworks keep the function of a tool. */
const workMembers = ['execute', 'invoke', '_call', 'call', 'run', 'func', 'fn', 'handler', 'callback', 'callTool']

/** True for what has a function to run, but in no form that is known. */
export function isUnknownTool(value: unknown): boolean {
  if (!isObject(value)) return false
  return (
    workMembers.some((member) => hasFunction(value, member)) || hasFunction(memberOf(value, 'function'), 'function')
  )
}

function text(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined
}

function parsed(input: unknown): unknown {
  if (typeof input !== 'string') return input
  try {
    return JSON.parse(input)
  } catch {
    return input // a model may write anything; the tool answers it
  }
}
