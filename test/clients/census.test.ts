/** What `npm run census` found, as it stands in the repository; the census itself is not run here. */
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import census from '../../census/package.json' with { type: 'json' }
import results from '../../census/results.json' with { type: 'json' }
import { facts } from '../../scripts/census/judge-cells.ts'
import { neighbourFacts } from '../../scripts/census/judge-neighbours.ts'
import { type CensusResults, clientTable, neighbourTable } from '../../scripts/docs/client-tables.ts'

const { nodes, neighbours, packages } = results as CensusResults
const [newest = []] = Object.values(nodes)

test('docs/clients.md has the tables of the last census', () => {
  const page = readFileSync(new URL('../../docs/clients.md', import.meta.url), 'utf8')
  expect(page).toContain(clientTable())
  expect(page).toContain(neighbourTable())
})

test('the last census ran the versions that census/package.json names', () => {
  const pinned: Readonly<Record<string, string>> = census.dependencies
  const run = Object.entries(packages).map(([name, { version }]) => [name, version])
  expect(run).toEqual(run.map(([name = '']) => [name, pinned[name]]))
  expect(run.length).toBeGreaterThan(20)
})

test('the census has every client and every road that is promised', () => {
  const names = newest.map(({ name }) => name).join('\n')
  for (const client of [
    ...['openai, chat', 'openai, Responses', '@anthropic-ai/sdk', '@google/genai', 'ai with @ai-sdk/openai'],
    ...['ai with @ai-sdk/anthropic', 'ai with @ai-sdk/google', 'ai with @ai-sdk/amazon-bedrock', '@langchain/openai'],
    ...['@langchain/anthropic', '@openai/agents', '@mistralai/mistralai', 'cohere-ai', 'groq-sdk', 'ollama'],
    ...[
      'AWS Bedrock, HTTP/2',
      'AWS Bedrock, NodeHttpHandler',
      'axios, http',
      'axios, fetch',
      'got',
      'ky',
      'node-fetch',
    ],
    ...['undici, fetch', 'undici, request', 'undici, Client', 'node:http', 'node:https'],
    ...['MCP over stdio', 'MCP over SSE', 'MCP over streamable HTTP'],
  ])
    expect(names).toContain(client)
})

/** What is not `yes`, and why it may stay so. */
const known: Readonly<Record<string, string>> = {
  'axios, fetch adapter > divergence shown': 'by the test alone', // its error has the body, its message only the status
  'axios, http adapter > divergence shown': 'by the test alone',
  'got > divergence shown': 'by the test alone',
  // Its stream ends without an error, and the request goes on; so it does without us.
  'AWS Bedrock, HTTP/2, the default > aborted': 'the request goes on',
  'AWS Bedrock, HTTP/2 over TLS > aborted': 'the request goes on',
}

test.each(Object.entries(nodes))('on Node %s nothing fell short but what is known', (_, cells) => {
  const short = cells.flatMap(({ name, facts: found }) =>
    facts.flatMap((fact) => (['yes', '–'].includes(found[fact]) ? [] : [[`${name} > ${fact}`, found[fact]]])),
  )
  expect(short.filter(([place = '', fact]) => known[place] !== fact)).toEqual([])
})

test('beside each tool everything was recorded and replayed, and each mock answered what is its own', () => {
  const short = neighbours.filter(({ facts: found }) =>
    neighbourFacts.some(
      (fact) => !/^(?:yes|\d of 3 calls, as alone|3 calls, alone 2|there is no call)$/.test(found[fact]),
    ),
  )
  expect(short).toEqual([])
  expect(new Set(neighbours.map(({ name, runner }) => `${name} ${runner}`)).size).toBe(10)
})
