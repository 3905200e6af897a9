/** Starts a loopback model, that of `model-server.mjs` or another, and asks it what it was asked. */
import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { afterAll } from 'vitest'

export interface Asked {
  readonly path: string
  readonly body: any
}

export interface Model {
  readonly url: string
  /** What was asked since the last `reset`. */
  log(): Promise<readonly Asked[]>
  /** How many requests came since the last `reset`. */
  count(): Promise<number>
  /** Forgets what was asked. */
  reset(): Promise<void>
}

/** Runs for the rest of the test file. */
export async function startModel(script = 'model-server.mjs'): Promise<Model> {
  const child = spawn(process.execPath, [join(import.meta.dirname, script)], {
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  afterAll(() => {
    child.kill()
  })
  const port = await new Promise<string>((resolve, reject) => {
    child.on('error', reject)
    child.stdout.setEncoding('utf8').once('data', (text: string) => resolve(text.trim()))
  })
  const url = `http://127.0.0.1:${port}`
  const log = async (): Promise<readonly Asked[]> => (await (await fetch(`${url}/log`)).json()) as readonly Asked[]
  return {
    url,
    log,
    count: async () => (await log()).length,
    reset: async () => {
      await fetch(`${url}/reset`, { method: 'POST' })
    },
  }
}
