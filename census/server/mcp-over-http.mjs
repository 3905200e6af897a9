/** The MCP server over HTTP: `/streamable/<scenario>/<cell>`, and the older SSE at `/sse/<scenario>/<cell>`. */
import { SSEServerTransport } from '@modelcontextprotocol/sdk/server/sse.js'
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js'
import { makeMcpServer } from './mcp-server.mjs'

/** @param {(scenario: string, cell: string) => { tell(entry: object): void, seen(): Promise<boolean> }} ports */
export function mcpHandler(ports) {
  const sse = new Map()
  const sessions = new Map()
  const serverOf = (scenario, cell) => makeMcpServer({ scenario, ...ports(scenario, cell) })

  /** Answers what is MCP. @returns {Promise<boolean>} false: it is not */
  return async ({ request, response, body, path: [kind, scenario, cell] }) => {
    switch (kind) {
      case 'streamable': {
        await streamable({ request, response, body, sessions, server: () => serverOf(scenario, cell) })
        return true
      }
      case 'sse': {
        const transport = new SSEServerTransport('/sse-post', response)
        sse.set(transport.sessionId, transport)
        await serverOf(scenario, cell).connect(transport)
        return true
      }
      case 'sse-post': {
        const id = new URL(request.url, 'http://model.test').searchParams.get('sessionId')
        await sse.get(id).handlePostMessage(request, response, JSON.parse(body))
        return true
      }
      default:
        return false
    }
  }
}

async function streamable({ request, response, body, sessions, server }) {
  if (request.method === 'GET') return response.writeHead(405).end()
  let transport = sessions.get(request.headers['mcp-session-id'])
  if (transport === undefined) {
    let number = sessions.size
    transport = new StreamableHTTPServerTransport({
      sessionIdGenerator: () => `session-${++number}`,
      onsessioninitialized: (id) => sessions.set(id, transport),
    })
    await server().connect(transport)
  }
  await transport.handleRequest(request, response, body === '' ? undefined : JSON.parse(body))
}
