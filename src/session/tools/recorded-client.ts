import { hasFunction, type Members, memberOf } from './members.ts'
import type { RecordTool, ToolCall } from './tool-call.ts'

/** An MCP client, or an MCP server as the OpenAI Agents SDK has it. */
export function isMcpClient(value: unknown): value is Members {
  return hasFunction(value, 'callTool') && hasFunction(value, 'listTools')
}

/**
 * The same client with `callTool` recorded, each tool under its own name. A proxy, since clients have private members;
 * connecting and listing stay live.
 */
export function recordedClient<T extends Members>(client: T, record: RecordTool): T {
  const callTool = (...args: unknown[]): unknown => {
    const { name, ...counts } = mcpArguments(args)
    const live = (): unknown => Reflect.apply(client.callTool as () => unknown, client, args)
    return record({ name, ...counts, live })
  }
  const bound = new Map<PropertyKey, unknown>()
  return new Proxy(client, {
    get(target, key) {
      if (key === 'callTool') return callTool
      const value: unknown = Reflect.get(target, key, target)
      // Only methods need `this`; functions that were set on the client are its user's own.
      if (typeof value !== 'function' || key === 'constructor' || Object.hasOwn(target, key)) return value
      if (!bound.has(key)) bound.set(key, value.bind(target))
      return bound.get(key)
    },
    set: (target, key, value) => Reflect.set(target, key, value, target),
  })
}

/** `callTool({ name, arguments }, …)` of MCP clients, `callTool(name, input, …)` of Agents. */
function mcpArguments([first, second]: readonly unknown[]): Pick<ToolCall, 'name' | 'input'> {
  if (typeof first === 'string') return { name: first, input: [second ?? {}] }
  return { name: String(memberOf(first, 'name')), input: [memberOf(first, 'arguments') ?? {}] }
}
