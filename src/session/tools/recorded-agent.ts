import { copyWith, isObject, type Members } from './members.ts'

/** An Agent of the OpenAI Agents SDK. */
export function isAgent(value: unknown): value is Members {
  return (
    isObject(value) && typeof value.name === 'string' && Array.isArray(value.tools) && Array.isArray(value.handoffs)
  )
}

/** What to do with the members of an agent. */
export interface AgentParts {
  /** A tool, an MCP server or another agent, recorded. */
  readonly part: (value: unknown) => unknown
  /** Agents recorded already, since handoffs may go round in a circle. */
  readonly known: Map<object, object>
}

/** A copy of the agent whose tools are recorded, and those of every agent that it can hand off to. */
export function recordedAgent<T extends Members>(agent: T, parts: AgentParts): T {
  const known = parts.known.get(agent)
  if (known !== undefined) return known as T
  const servers: unknown = agent.mcpServers
  const copy = copyWith(agent, {
    tools: (agent.tools as readonly unknown[]).map(parts.part),
    ...(Array.isArray(servers) ? { mcpServers: servers.map(parts.part) } : {}),
  })
  parts.known.set(agent, copy)
  const handoffs = (agent.handoffs as readonly unknown[]).map((handoff) => recordedHandoff(handoff, parts))
  Object.defineProperty(copy, 'handoffs', { value: handoffs })
  return copy
}

/** A handoff is an agent, or an object that knows one and gives it when the model asks. */
function recordedHandoff(handoff: unknown, parts: AgentParts): unknown {
  if (isAgent(handoff)) return recordedAgent(handoff, parts)
  if (!isObject(handoff) || typeof handoff.onInvokeHandoff !== 'function' || !isAgent(handoff.agent)) return handoff
  const give = handoff.onInvokeHandoff
  const onInvokeHandoff = async (...args: unknown[]): Promise<unknown> => {
    const agent: unknown = await Reflect.apply(give, handoff, args)
    return isAgent(agent) ? recordedAgent(agent, parts) : agent
  }
  return copyWith(handoff, { agent: recordedAgent(handoff.agent, parts), onInvokeHandoff })
}
