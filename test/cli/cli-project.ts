/** A project with cassettes of its own making, for runs of the packed command. */
import { type Cassette, type Interaction, isHttpInteraction } from '../../src/core/cassette/document.ts'
import { writeCassette } from '../../src/core/cassette/write-cassette.ts'
import { hashRequest, hashValueRequest } from '../../src/core/hashing/request-hash.ts'
import { createProject, type Project, type RunOptions } from '../projects/project.ts'

export interface CliProject {
  readonly project: Project
  /** Runs `turntape` and gives what it printed as one text: standard output, then standard error, then the exit code. */
  run(args: readonly string[], options?: RunOptions): Promise<string>
  putCassette(path: string, cassette: Cassette): void
  putPending(path: string, cassette: Cassette): void
}

const pendingRoot = 'node_modules/.cache/turntape/'

export function createCliProject(files: Readonly<Record<string, string>> = {}): CliProject {
  const project = createProject(files)
  return {
    project,
    async run(args, options) {
      const { stdout, stderr, code } = await project.turntape(args, options)
      return `${stdout}${stderr === '' ? '' : `--- stderr\n${stderr}`}--- exit code ${code}`
    },
    putCassette: (path, cassette) => project.write({ [path]: writeCassette(cassette) }),
    putPending: (path, cassette) => project.write({ [`${pendingRoot}${path}`]: writeCassette(cassette) }),
  }
}

/** Numbered, and hashed as if they had been recorded. */
export function recordedCassette(test: string, interactions: readonly Interaction[]): Cassette {
  return {
    format: 'turntape/1',
    test,
    provenance: { kind: 'live' },
    recordedAt: '2026-11-30T12:00:00.000Z',
    recordedWith: { node: '20.20.2', openai: '6.49.0', turntape: '0.1.0' },
    interactions: interactions.map((interaction, index) => {
      return { ...interaction, number: index + 1, hash: hashOf(interaction) }
    }),
  }
}

/** A model call that was answered with this text. */
export function modelCall(prompt: string, answer: string): Interaction {
  return {
    number: 1,
    kind: 'model',
    hash: '',
    request: {
      method: 'POST',
      url: 'https://api.openai.com/v1/chat/completions',
      body: { json: { model: 'gpt-5', messages: [{ role: 'user', content: prompt }] } },
    },
    response: {
      status: 200,
      headers: [['content-type', 'application/json']],
      body: {
        json: {
          choices: [{ index: 0, message: { role: 'assistant', content: answer } }],
          usage: { prompt_tokens: 12, completion_tokens: 5 },
        },
      },
    },
    timing: { startMs: 0, headMs: 120 },
  }
}

function hashOf(interaction: Interaction): string {
  if (isHttpInteraction(interaction)) return hashRequest(interaction.request)
  return hashValueRequest({ kind: interaction.kind, ...interaction.request })
}
