/** Starts the program that is killed. */
import { type ChildProcessByStdio, spawn } from 'node:child_process'
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { build } from 'vite'
import { afterAll } from 'vitest'
import type { Plan } from './kill-program.ts'

export interface Ended {
  readonly signal: NodeJS.Signals | null
  /** The lines it printed. */
  readonly said: readonly string[]
}

export interface StartOptions {
  /** Called at each output; may kill it. */
  readonly onOutput?: (child: ChildProcessByStdio<null, Readable, null>) => void
  /** The command that starts this command: a limit, a file system of its own. */
  readonly within?: (command: readonly string[]) => readonly string[]
  readonly userId?: number
}

export type KillChild = (plan: Plan, options?: StartOptions) => Promise<Ended>

/** For the rest of the test file. */
export async function bundleKillChild(): Promise<KillChild> {
  const folder = mkdtempSync(join(tmpdir(), 'kill-program-'))
  afterAll(() => rmSync(folder, { recursive: true, force: true }))
  chmodSync(folder, 0o755)
  await build({
    configFile: false,
    logLevel: 'error',
    build: {
      ssr: join(import.meta.dirname, 'kill-program.ts'),
      outDir: folder,
      rolldownOptions: { output: { entryFileNames: 'program.mjs' } },
    },
    ssr: { noExternal: true },
  })
  const program = join(folder, 'program.mjs')
  return (plan, { onOutput, within, userId } = {}) => {
    const command = [process.execPath, program, JSON.stringify(plan)]
    const [file = '', ...args] = within?.(command) ?? command
    const child = spawn(file, args, {
      stdio: ['ignore', 'pipe', 'inherit'],
      ...(userId === undefined ? {} : { uid: userId, gid: userId }),
    })
    let text = ''
    child.stdout.setEncoding('utf8').on('data', (more: string) => {
      text += more
      onOutput?.(child)
    })
    return new Promise((resolve, reject) => {
      child.on('error', reject)
      child.on('close', (_, signal) => resolve({ signal, said: text.split('\n').slice(0, -1) }))
    })
  }
}
