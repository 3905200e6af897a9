/**
 * The MCP server of the census: one tool that answers, and one that reports its answer piece by piece as progress. Where its
 * calls are written down and what it waits for is given: it also runs as a process of its own (`mcp-stdio.mjs`).
 */
import { setTimeout as wait } from 'node:timers/promises'
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js'
import { ErrorCode, McpError } from '@modelcontextprotocol/sdk/types.js'
import { z } from 'zod'
import { answerText, words } from './wires.mjs'

/** A client of the SDK forgets the progress of a call when its result comes, also what came in the same chunk. */
const pauseMs = 120

/**
 * @param {object} options
 * @param {string} options.scenario
 * @param {(entry: object) => void} options.tell writes a call down; the same call twice: what is known of it now
 * @param {() => Promise<boolean>} options.seen true once the test has seen some of the answer
 */
export function makeMcpServer({ scenario, tell, seen }) {
  const server = new McpServer({ name: 'census', version: '1.0.0' })
  const inputSchema = { text: z.string() }
  server.registerTool('answer', { description: 'Answers.', inputSchema }, async () => {
    tell({})
    if (scenario === 'error') throw new McpError(ErrorCode.InvalidParams, 'the census refuses this')
    return { content: [{ type: 'text', text: answerText }] }
  })
  server.registerTool(
    'report',
    { description: 'Reports.', inputSchema },
    async (_, { _meta, signal, sendNotification }) => {
      const entry = { closedEarly: false }
      signal.addEventListener('abort', () => tell(Object.assign(entry, { closedEarly: true })))
      for (const [index, message] of words.entries()) {
        if (index === words.length / 2) {
          const aborted = new Promise((resolve) => signal.addEventListener('abort', () => resolve(true)))
          entry.seenInTime = await (scenario === 'aborted' ? aborted : seen())
        }
        if (signal.aborted) break
        const params = { progressToken: _meta.progressToken, progress: index + 1, message }
        await sendNotification({ method: 'notifications/progress', params })
      }
      await wait(pauseMs)
      if (!signal.aborted) tell(entry)
      return { content: [{ type: 'text', text: 'reported' }] }
    },
  )
  return server
}
