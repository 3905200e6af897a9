/** The servers that the protocol's authors publish, started as a user starts them, and a client that can do all they ask. */
import { type ChildProcess, spawn } from 'node:child_process'
import { join } from 'node:path'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import {
  CreateMessageRequestSchema,
  ElicitRequestSchema,
  ListRootsRequestSchema,
} from '@modelcontextprotocol/sdk/types.js'
import { repository } from '../projects/package.ts'

const packages = join(repository, 'node_modules', '@modelcontextprotocol')
export const everythingScript = join(packages, 'server-everything', 'dist', 'index.js')
export const filesystemScript = join(packages, 'server-filesystem', 'dist', 'index.js')

export interface EverythingServer {
  readonly url: string
  /** Stops it; settles when its process is gone. */
  readonly stop: () => Promise<void>
}

/** On a free port of 127.0.0.1. */
export async function startEverything(transport: 'sse' | 'streamableHttp'): Promise<EverythingServer> {
  const preload = join(import.meta.dirname, 'loopback-only.mjs')
  const child = spawn(process.execPath, ['--import', preload, everythingScript, transport], {
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  const stop = (): Promise<void> =>
    new Promise((resolve) => {
      if (child.exitCode !== null || child.signalCode !== null) resolve()
      child.once('exit', () => resolve())
      child.kill('SIGKILL')
    })
  return { url: `http://127.0.0.1:${await portOf(child)}`, stop }
}

function portOf(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let output = ''
    child.once('exit', () => reject(new Error(`the server ended: ${output}`)))
    child.stdout?.setEncoding('utf8').on('data', (text: string) => {
      output += text
      const [, port] = /^port (\d+)$/m.exec(output) ?? []
      if (port !== undefined) resolve(port)
    })
  })
}

export interface AbleClient {
  readonly client: Client
  /** Methods of the requests and notifications that came from the server, in order. */
  readonly heard: string[]
}

/** A client that answers what a server asks. `sampled`: what its model would say. */
export function ableClient({ sampled = 'Hello' }: { readonly sampled?: string } = {}): AbleClient {
  const client = new Client(
    { name: 'agent', version: '1.0.0' },
    { capabilities: { roots: { listChanged: true }, sampling: {}, elicitation: {} } },
  )
  const heard: string[] = []
  client.setRequestHandler(CreateMessageRequestSchema, ({ method }) => {
    heard.push(method)
    return { model: 'stub', role: 'assistant' as const, content: { type: 'text' as const, text: sampled } }
  })
  client.setRequestHandler(ElicitRequestSchema, ({ method }) => {
    heard.push(method)
    return { action: 'accept' as const, content: { name: 'Ada' } }
  })
  client.setRequestHandler(ListRootsRequestSchema, ({ method }) => {
    heard.push(method)
    return { roots: [{ uri: 'file:///srv/roots', name: 'roots' }] }
  })
  client.fallbackNotificationHandler = async ({ method }) => {
    heard.push(method)
  }
  return { client, heard }
}
