/** The project's defaults under Jest: the member `turntape` of the option `globals`, which must be JSON. */
import { dirname } from 'node:path'
import { ReplayError } from '../../errors/replay-error.ts'
import { matchGlobs } from '../../session/match-globs.ts'
import { packageRoot } from '../../session/open-file.ts'
import { resolveOptions, type TapeOptions } from '../../session/tape-options.ts'
import { posixRelative } from '../../store/package-root.ts'
import type { JestRealm } from './jest-realm.ts'

export interface JestSettings {
  readonly options: TapeOptions
  /** True: every test of this file is covered, with no line in it changed. */
  readonly covered: boolean
}

interface GivenSettings extends TapeOptions {
  /** Globs of test files, relative to the package root, that are covered. */
  readonly include?: readonly string[]
  /** A module with `TapeOptions` as its default export (or `module.exports`), relative to the package root. */
  readonly optionsModule?: string
}

/** Errors: TURNTAPE_INVALID_OPTION. */
export function jestSettings(realm: Pick<JestRealm, 'global' | 'require'>, testPath: string): JestSettings {
  const given: unknown = Reflect.get(realm.global, 'turntape')
  if (typeof given !== 'object' || given === null) return { options: {}, covered: false }
  const { include = [], optionsModule, ...options } = given as GivenSettings
  const root = packageRoot(dirname(testPath))
  const fromModule = optionsModule === undefined ? {} : requireOptions(`${root}/${optionsModule}`, realm.require)
  const merged = { ...options, ...fromModule }
  resolveOptions([merged])
  const covered = matchGlobs(include)(posixRelative(root, testPath))
  return { options: merged, covered }
}

function requireOptions(path: string, require: JestRealm['require']): TapeOptions {
  const module = load(path, require)
  const inner: unknown = isObject(module) && 'default' in module ? module.default : module
  if (isObject(inner)) return inner
  throw invalidModule(path)
}

function load(path: string, require: JestRealm['require']): unknown {
  try {
    return require?.(path)
  } catch (cause) {
    throw invalidModule(path, cause)
  }
}

function invalidModule(given: string, cause?: unknown): ReplayError {
  const expected =
    'a module that Jest can require, whose default export is an object of options; in turntape/jest/setup'
  return new ReplayError(
    'TURNTAPE_INVALID_OPTION',
    { option: 'optionsModule', given, expected },
    ...(cause === undefined ? [] : ([{ cause }] as const)),
  )
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}
