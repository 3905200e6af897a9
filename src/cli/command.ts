/** What a command is: what it takes, in words and for the parser, and what it gets when it runs. */
import type { CassetteStore } from '../store/cassette-store.ts'
import type { Output } from './output.ts'

export interface CommandDefinition {
  readonly name: string
  /** One line, without a full stop. */
  readonly summary: string
  /** Each form, without `turntape` and the name: `<cassette> [--json]`. */
  readonly forms: readonly string[]
  /** Paragraphs for `--help` and `docs/cli.md`. */
  readonly details: readonly string[]
  readonly options: readonly OptionDefinition[]
  readonly positionals: 'none' | 'at most one' | 'at most two' | 'any'
  /** Loaded when it runs: `turntape --version` loads none of them. */
  readonly load: () => Promise<RunCommand>
}

export interface OptionDefinition {
  /** Without the dashes. */
  readonly name: string
  readonly short?: string
  readonly summary: string
  /** What its value is called in the help; absent: it takes none. */
  readonly value?: string
  /** The only values allowed. */
  readonly choices?: readonly string[]
  readonly repeatable?: true
}

/** Resolves to the exit code: 0 well, 1 found something or a test failed. A usage error is thrown (exit code 2). */
export type RunCommand = (given: ParsedArguments, context: CommandContext) => Promise<number> | number

export interface ParsedArguments {
  readonly positionals: readonly string[]
  readonly flags: ReadonlySet<string>
  /** Values by option, in the order given. */
  readonly values: ReadonlyMap<string, readonly string[]>
}

export interface CommandContext {
  /** Absolute. */
  readonly cwd: string
  /** The nearest folder with a package.json, absolute. Cassette paths are relative to it. */
  readonly root: string
  readonly env: NodeJS.ProcessEnv
  readonly output: Output
  readonly store: CassetteStore
  /** A path relative to the root as a reader in `cwd` writes it. */
  readonly shown: (path: string) => string
}
