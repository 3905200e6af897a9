import { fileURLToPath } from 'node:url'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { SSEClientTransport } from '@modelcontextprotocol/sdk/client/sse.js'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { recordTransport } from 'turntape/mcp'
import { cell } from '../harness/cell.mjs'

const stdioServer = fileURLToPath(new URL('../server/mcp-stdio.mjs', import.meta.url))

const transports = {
  'MCP over stdio': (url) => recordTransport(() => overStdio(url), { name: 'census' }),
  'MCP over SSE': (url) => recordTransport(() => new SSEClientTransport(overHttp('sse', url)), { name: 'census' }),
  'MCP over streamable HTTP': (url) =>
    recordTransport(() => new StreamableHTTPClientTransport(overHttp('streamable', url)), { name: 'census' }),
  'MCP over streamable HTTP, unwrapped': (url) => new StreamableHTTPClientTransport(overHttp('streamable', url)),
}

for (const [name, transportTo] of Object.entries(transports)) {
  cell(name, {
    package: '@modelcontextprotocol/sdk',
    road: name.endsWith('unwrapped') ? 'fetch' : 'MCP',
    build: (url) => ({ transport: transportTo(url) }),
    async ask({ client: { transport }, text }) {
      const client = await connected(transport)
      try {
        const { content, isError } = await client.callTool({ name: 'answer', arguments: { text } })
        if (isError) throw new Error(content[0].text)
        return content[0].text
      } finally {
        await client.close()
      }
    },
    async *stream({ client: { transport }, text, signal }) {
      const client = await connected(transport)
      try {
        yield* piecesOf((onprogress) => {
          const options = { onprogress: ({ message }) => onprogress(message), signal }
          return client.callTool({ name: 'report', arguments: { text } }, undefined, options)
        })
      } finally {
        // A cancelled call leaves a connection that works.
        if (signal.aborted) await client.ping()
        await client.close()
      }
    },
  })
}

async function connected(transport) {
  const client = new Client({ name: 'client', version: '1.0.0' })
  await client.connect(transport)
  return client
}

function overStdio(url) {
  const { origin, pathname } = new URL(url)
  const [, scenario, id] = pathname.split('/')
  const loopback = origin.replace('model.test', '127.0.0.1')
  return new StdioClientTransport({ command: process.execPath, args: [stdioServer, scenario, id, loopback] })
}

const overHttp = (kind, url) => {
  const { origin, pathname } = new URL(url)
  return new URL(`${origin}/${kind}${pathname}`)
}

/** What a call reports, as it comes; ends, or fails, as the call does. */
async function* piecesOf(call) {
  const pieces = []
  let wake = () => {}
  let end
  call((piece) => {
    pieces.push(piece)
    wake()
  }).then(
    () => {
      end = { error: undefined }
      wake()
    },
    (error) => {
      end = { error }
      wake()
    },
  )
  while (pieces.length > 0 || end === undefined) {
    if (pieces.length > 0) yield pieces.shift()
    else await new Promise((resolve) => (wake = resolve))
  }
  if (end.error !== undefined) throw end.error
}
