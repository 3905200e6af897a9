/** A real project in a temporary folder, with the packed package installed, run by the real runner as a child process. */
import { spawn } from 'node:child_process'
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { inject, onTestFinished } from 'vitest'
import { repository } from './package.ts'

export interface RunResult {
  readonly code: number | null
  readonly signal: NodeJS.Signals | null
  readonly stdout: string
  readonly stderr: string
  /** Both, without colours, for a look at the whole. */
  readonly output: string
}

export interface RunOptions {
  /** On top of a bare environment: no CI, no keys. */
  readonly env?: Readonly<Record<string, string>>
  readonly node?: string
  /** Called with what was printed so far; may kill the child. */
  readonly onOutput?: (output: string, kill: (signal: NodeJS.Signals) => void) => void
}

/** Variables of the machine that a child needs; everything else, keys and CI among them, stays out. */
const keptVariables = ['PATH', 'HOME', 'TMPDIR', 'TEMP', 'SystemRoot', 'COMSPEC', 'PATHEXT']

export class Project {
  readonly folder: string

  constructor(folder: string) {
    this.folder = folder
  }

  write(files: Readonly<Record<string, string>>): void {
    for (const [path, text] of Object.entries(files)) {
      const file = join(this.folder, path)
      mkdirSync(dirname(file), { recursive: true })
      writeFileSync(file, text)
    }
  }

  read(path: string): string {
    return readFileSync(join(this.folder, path), 'utf8')
  }

  has(path: string): boolean {
    return existsSync(join(this.folder, path))
  }

  /** Files below a folder, POSIX, sorted; empty where there is none. */
  files(folder: string): readonly string[] {
    const start = join(this.folder, folder)
    if (!existsSync(start)) return []
    return readdirSync(start, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) =>
        join(entry.parentPath, entry.name)
          .slice(start.length + 1)
          .replaceAll('\\', '/'),
      )
      .sort()
  }

  cassettes(): readonly string[] {
    return this.files('cassettes')
  }

  pending(): readonly string[] {
    return this.files('node_modules/.cache/turntape')
  }

  vitest(args: readonly string[] = [], options: RunOptions = {}): Promise<RunResult> {
    return this.node([join('node_modules', 'vitest', 'vitest.mjs'), 'run', ...args], options)
  }

  turntape(args: readonly string[], options: RunOptions = {}): Promise<RunResult> {
    return this.node([join('node_modules', 'turntape', 'dist', 'cli.js'), ...args], options)
  }

  node(args: readonly string[], { env = {}, node = process.execPath, onOutput }: RunOptions = {}): Promise<RunResult> {
    const bare = Object.fromEntries(
      keptVariables.flatMap((name) => (process.env[name] ? [[name, process.env[name]]] : [])),
    )
    const child = spawn(node, args, {
      cwd: this.folder,
      env: { ...bare, NO_COLOR: '1', ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    let stdout = ''
    let stderr = ''
    const seen = (): void => onOutput?.(stdout + stderr, (signal) => child.kill(signal))
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      stdout += text
      seen()
    })
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      stderr += text
      seen()
    })
    return new Promise((resolve, reject) => {
      child.on('error', reject)
      child.on('close', (code, signal) => resolve({ code, signal, stdout, stderr, output: stdout + stderr }))
    })
  }
}

const defaultFiles = {
  'package.json': '{ "name": "project", "private": true, "type": "module" }\n',
  'vitest.config.ts': `import { replayPlugin } from 'turntape/vitest'
import { defineConfig } from 'vitest/config'
export default defineConfig({ plugins: [replayPlugin()] })
`,
}

/** Makes a project; it is removed when the test has finished, or when `atEnd` calls what it is given. */
export function createProject(
  files: Readonly<Record<string, string>> = {},
  atEnd: (remove: () => void) => void = onTestFinished,
): Project {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'project-')))
  atEnd(() => rmSync(folder, { recursive: true, force: true }))
  const modules = join(folder, 'node_modules')
  mkdirSync(modules)
  for (const name of readdirSync(join(repository, 'node_modules'))) {
    if (!name.startsWith('.')) symlinkSync(join(repository, 'node_modules', name), join(modules, name), 'junction')
  }
  cpSync(inject('packageFolder'), join(modules, 'turntape'), { recursive: true })
  const project = new Project(folder)
  project.write({ ...defaultFiles, ...files })
  return project
}
