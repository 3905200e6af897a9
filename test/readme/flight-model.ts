/** The model of the example, as a process of its own. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'

export interface FlightModel {
  /** What a recording run needs in its environment. */
  readonly env: { readonly OPENAI_BASE_URL: string; readonly OPENAI_API_KEY: string }
  /** Model calls answered so far. */
  calls(): Promise<number>
  stop(): Promise<void>
}

/** Starts `model.mjs` of a folder on a free port; stopped when the test has finished. */
export async function startFlightModel(folder: string): Promise<FlightModel> {
  const child = spawn(process.execPath, [join(folder, 'model.mjs'), '0'], { stdio: ['ignore', 'pipe', 'inherit'] })
  const closed = once(child, 'close')
  const stop = async (): Promise<void> => {
    child.kill()
    await closed
  }
  onTestFinished(stop)
  const [printed] = await once(child.stdout, 'data')
  const url = String(printed).trim()
  return {
    env: { OPENAI_BASE_URL: url, OPENAI_API_KEY: 'sk-readme-is-not-a-real-key' },
    calls: async () => ((await (await fetch(new URL('/stats', url))).json()) as { calls: number }).calls,
    stop,
  }
}
