/** The corpus of real provider traffic, kept outside the repository, and its servers. Tests skip where it is absent. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { onTestFinished } from 'vitest'

const corpus = new URL('../../../shared/corpus/', import.meta.url)

export const hasCorpus = existsSync(corpus)

/** What a corpus file holds of one exchange, as `loadFile` of the corpus gives it. */
export interface CorpusExchange {
  readonly method: string
  readonly path: string
  readonly query: string
  readonly reqHeaders: readonly (readonly [name: string, value: string])[]
  readonly reqBody: Uint8Array | string | null
  readonly status: number
  readonly headers: readonly (readonly [name: string, value: string])[]
  readonly body: Uint8Array
  /** The stored body is still compressed as its header says. */
  readonly encoded: boolean
}

/** How a server serves: options of the corpus's own `serve.mjs`. */
export interface ServeOptions {
  readonly split?: number
  readonly gzip?: boolean
  readonly cutAfter?: number
  readonly stallAfter?: number
  readonly fail?: number
  readonly failStatus?: number
  readonly retryAfter?: number
  readonly pick?: 'body' | 'order'
}

export interface ServerGroup {
  readonly files: readonly string[]
  readonly options?: ServeOptions
}

/** The files of HTTP exchanges, relative to the corpus. */
export function corpusFiles(): readonly string[] {
  const index = JSON.parse(readFileSync(new URL('INDEX.json', corpus), 'utf8')) as readonly { readonly file: string }[]
  return index.map(({ file }) => file).filter((file) => file.startsWith('http/'))
}

export async function loadExchanges(file: string): Promise<readonly CorpusExchange[]> {
  const { loadFile } = (await import(new URL('serve.mjs', corpus).href)) as {
    loadFile(path: string): Promise<readonly CorpusExchange[]>
  }
  return loadFile(fileURLToPath(new URL(file.split('/').map(encodeURIComponent).join('/'), corpus)))
}

export class CorpusServers {
  /** One a group, in order. */
  readonly urls: readonly string[]
  readonly #child: ChildProcess

  constructor(urls: readonly string[], child: ChildProcess) {
    this.urls = urls
    this.#child = child
  }

  /** The only server's URL. */
  get url(): string {
    return this.urls[0] as string
  }

  /** Requests that reached a server since it started. */
  async requests(url: string = this.url): Promise<number> {
    const response = await fetch(`${url}/__corpus`)
    return ((await response.json()) as { readonly requests: number }).requests
  }

  async stop(): Promise<void> {
    if (this.#child.exitCode !== null) return
    this.#child.stdin?.end()
    await once(this.#child, 'exit')
  }
}

/** Starts one server a group, all in one child process; they stop when the test has finished. */
export async function startCorpusServers(groups: readonly ServerGroup[]): Promise<CorpusServers> {
  const child = spawn(
    process.execPath,
    [fileURLToPath(new URL('serve-corpus.mjs', import.meta.url)), JSON.stringify({ corpus: corpus.href, groups })],
    { stdio: ['pipe', 'pipe', 'inherit'] },
  )
  let printed = ''
  for await (const text of child.stdout.setEncoding('utf8')) {
    printed += text
    if (printed.endsWith('\n')) break
  }
  const servers = new CorpusServers(JSON.parse(printed), child)
  onTestFinished(() => servers.stop())
  return servers
}
