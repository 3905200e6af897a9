/** One project a client group: its test file is a scenario of `scenarios/`, run against the corpus and then against nothing. */
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { type CorpusServers, loadExchanges, type ServeOptions, startCorpusServers } from '../corpus/corpus.ts'
import { createProject, type Project } from '../projects/project.ts'

/** What a scenario is served from, by its name in the test file. */
export interface Served {
  /** Below `http/` of the corpus. */
  readonly file: string
  readonly options?: ServeOptions
}

export class ClientProject {
  readonly #project: Project
  readonly servers: CorpusServers

  private constructor(project: Project, servers: CorpusServers) {
    this.#project = project
    this.servers = servers
  }

  static async create(scenario: URL, served: Readonly<Record<string, Served>>): Promise<ClientProject> {
    const scenarios = Object.entries(served).map(([name, { file, options }]) => ({
      name,
      file: `http/${file}`,
      options,
    }))
    const servers = await startCorpusServers(
      scenarios.map(({ file, options }) => ({ files: [file], ...(options && { options }) })),
    )
    const plan: Record<string, { readonly url: string | undefined; readonly body: unknown }> = {}
    for (const [index, { name, file }] of scenarios.entries()) {
      const [first] = await loadExchanges(file)
      plan[name] = { url: servers.urls[index], body: parsed(first?.reqBody ?? null) }
    }
    plan.nowhere = { url: `http://127.0.0.1:${await closedPort()}/v1`, body: {} }
    const project = createProject({
      'clients.test.ts': readFileSync(scenario, 'utf8'),
      'scenario.ts': readFileSync(new URL('scenarios/scenario.ts', import.meta.url), 'utf8'),
      'plan.json': JSON.stringify(plan),
    })
    return new ClientProject(project, servers)
  }

  /** Runs the scenario; what its clients showed, by scenario name. */
  async run(run: string, env: Readonly<Record<string, string>>) {
    const { output, code } = await this.#project.vitest([], { env: { RUN: run, ...env } })
    const folder = `seen-${run}`
    const seen = this.#project
      .files(folder)
      .map((file) => [file.replace(/\.json$/, ''), JSON.parse(this.#project.read(`${folder}/${file}`))])
    return { output, code, seen: Object.fromEntries(seen) as Readonly<Record<string, any>> }
  }

  /** Requests that reached the live servers so far. */
  async requests(): Promise<number> {
    const counts = await Promise.all(this.servers.urls.map((url) => this.servers.requests(url)))
    return counts.reduce((sum, count) => sum + count, 0)
  }

  /** Everything that was stored, side files included, as text. */
  stored(): readonly string[] {
    return this.#project.cassettes().map((file) => this.#project.read(`cassettes/${file}`))
  }

  /** How many interactions stand in the cassettes. */
  interactions(): number {
    const cassettes = this.#project.cassettes().filter((file) => file.endsWith('.json'))
    const counts = cassettes.map(
      (file) => JSON.parse(this.#project.read(`cassettes/${file}`)).interactions.length as number,
    )
    return counts.reduce((sum, count) => sum + count, 0)
  }
}

/** Multipart and absent bodies are the scenario's own. */
function parsed(body: Uint8Array | string | null): unknown {
  const text = Buffer.from(body ?? '').toString()
  return text.startsWith('{') ? JSON.parse(text) : {}
}

/** A port where nobody listens (any more). */
async function closedPort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}
