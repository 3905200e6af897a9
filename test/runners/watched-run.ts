/** A runner in watch mode as a child process, with keys to press. */
import { spawn } from 'node:child_process'
import { onTestFinished } from 'vitest'
import type { RunnerProject } from './runner-project.ts'

export interface WatchedRun {
  /** What was printed since the last call, once every pattern has come up in it, in any order. Rejects after 30 seconds. */
  until(...patterns: readonly RegExp[]): Promise<string>
  press(key: string): void
  stop(): Promise<void>
}

/** Runners listen to keys on a terminal only; a pipe is made to pass for one. */
const terminal = `Object.defineProperty(process.stdin, 'isTTY', { value: true })
process.stdin.setRawMode = () => process.stdin
`

const waitMs = 30_000

/** Ends with the test. */
export function startWatching(
  { project, node }: RunnerProject,
  args: readonly string[],
  env: Readonly<Record<string, string>>,
): WatchedRun {
  project.write({ 'terminal.cjs': terminal })
  const { PATH = '', HOME = '' } = process.env
  const child = spawn(node, ['--require', './terminal.cjs', ...args], {
    cwd: project.folder,
    env: { PATH, HOME, NO_COLOR: '1', ...env },
  })
  const ended = new Promise<void>((resolve) => child.on('close', () => resolve()))
  const stop = (): Promise<void> => {
    child.kill('SIGKILL')
    return ended
  }
  onTestFinished(stop)
  let before = ''
  let seen = ''
  let look = (): void => {}
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      seen += text
      look()
    })
  }
  return {
    until(...patterns) {
      return new Promise((resolve, reject) => {
        const fail = (): void =>
          reject(new Error(`${patterns.join(' ')} did not come up after:\n${before}\nin:\n${seen}`))
        const timer = setTimeout(fail, waitMs)
        look = (): void => {
          const ends = patterns.flatMap((pattern) => {
            const found = pattern.exec(seen)
            return found === null ? [] : [found.index + found[0].length]
          })
          if (ends.length < patterns.length) return
          clearTimeout(timer)
          look = (): void => {}
          const text = seen.slice(0, Math.max(...ends))
          before += text
          seen = seen.slice(text.length)
          resolve(text)
        }
        look()
      })
    },
    press: (key) => {
      child.stdin.write(key)
    },
    stop,
  }
}
