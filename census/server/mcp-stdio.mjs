/** `node mcp-stdio.mjs <scenario> <cell> <url of the model server>`: the MCP server as a process of its own. */
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js'
import { makeMcpServer } from './mcp-server.mjs'

const [scenario, cell, url] = process.argv.slice(2)

const tell = (entry) =>
  void fetch(`${url}/tell/${cell}`, { method: 'POST', body: JSON.stringify({ scenario, ...entry }) })
const seen = async () => (await fetch(`${url}/wait/${cell}`)).ok

await makeMcpServer({ scenario, tell, seen }).connect(new StdioServerTransport())
