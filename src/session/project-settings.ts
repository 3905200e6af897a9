/**
 * A project's options on their way from the runner's configuration to the workers: only data can travel, so ready-made
 * normalisers go by name and everything else that is code stands in a module that the workers import themselves.
 */
import { makeReadyNormaliser } from '../core/matching/make-ready-normaliser.ts'
import type { ReadyNormaliser } from '../core/matching/ready-normaliser.ts'
import { ReplayError } from '../errors/replay-error.ts'
import { matchGlobs } from './match-globs.ts'
import type { TapeOptions } from './tape-options.ts'

/** What the configuration hands to the workers. Plain data and patterns. */
export interface ProvidedSettings {
  readonly options: TapeOptions
  readonly normalise: readonly ReadyNormaliser[]
  /** Absolute path of a module whose default export is `TapeOptions`. */
  readonly optionsModule?: string
  /** Globs of test files, relative to `root`, that are covered with no line in them changed. */
  readonly include: readonly string[]
  readonly root: string
}

export interface ProjectSettings {
  readonly options: TapeOptions
  readonly covers: (testPath: string) => boolean
}

/** Imports a module of the user's project, TypeScript too. */
export type ImportModule = (path: string) => Promise<unknown>

/** The settings as the worker uses them; without any: no options, no file covered. */
export async function projectSettings(
  provided: ProvidedSettings | undefined,
  importModule: ImportModule,
): Promise<ProjectSettings> {
  if (provided === undefined) return { options: {}, covers: () => false }
  const { include, root, optionsModule } = provided
  const fromModule = optionsModule === undefined ? {} : await importOptions(optionsModule, { root, importModule })
  const matches = matchGlobs(include)
  const covers = (path: string): boolean => matches(relativePosix(root, path))
  const normalise = provided.normalise.flatMap((data) => makeReadyNormaliser(data) ?? [])
  return { options: { ...provided.options, normalise, ...fromModule }, covers }
}

interface Importing {
  readonly root: string
  readonly importModule: ImportModule
}

async function importOptions(path: string, { root, importModule }: Importing): Promise<TapeOptions> {
  const given = relativePosix(root, path)
  const module = await importModule(path).catch((cause: unknown) => {
    const first = cause instanceof Error ? (cause.message.split('\n', 1)[0] as string) : 'it threw'
    const said = first.replaceAll(root, '.').replace(/ imported from .*$/, '')
    throw invalidModule({ given, why: `. Importing it failed: ${said}`, cause })
  })
  const options: unknown = typeof module === 'object' && module !== null ? Reflect.get(module, 'default') : undefined
  if (typeof options === 'object' && options !== null) return options
  throw invalidModule({ given, why: '' })
}

function invalidModule({
  given,
  why,
  cause,
}: {
  readonly given: string
  readonly why: string
  readonly cause?: unknown
}): ReplayError {
  const expected = `a module, named by its path from the project's root, whose default export is an object of options${why}`
  return new ReplayError('TURNTAPE_INVALID_OPTION', { option: 'optionsModule', given, expected }, { cause })
}

function relativePosix(root: string, path: string): string {
  const inside = path.startsWith(root) ? path.slice(root.length).replace(/^[\\/]+/, '') : path
  return inside.replaceAll('\\', '/')
}
