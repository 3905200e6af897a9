import { existsSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Plugin } from 'vitest/config'
import { escapePattern } from '../../core/matching/escape-pattern.ts'
import { type ReadyNormaliser, readyOf } from '../../core/matching/ready-normaliser.ts'
import { ReplayError } from '../../errors/replay-error.ts'
import type { ProvidedSettings } from '../../session/project-settings.ts'
import { type ReportOptions, reportOptionsOf, saysLines } from '../../session/run/report-options.ts'
import { resolveOptions, type TapeOptions } from '../../session/tape-options.ts'
import { CassetteWatch } from './cassette-watch.ts'
import { hasReporter } from './has-reporter.ts'
import { hoistRecordTools } from './hoist-record-tools.ts'
import { CassetteReporter } from './reporter.ts'

export interface ReplayPluginOptions extends TapeOptions, ReportOptions {
  /** Globs of test files, relative to the project's root, that are covered with no line in them changed. Default: none. */
  readonly include?: readonly string[]
  /**
   * A module whose default export is `TapeOptions`, for options that are functions: the workers import it themselves.
   * Relative to the project's root. Its members win over the plugin's own.
   */
  readonly optionsModule?: string
  /** The block at the end of the run, and what goes with it. `false`: nothing is reported or found obsolete. Default true. */
  readonly report?: boolean
}

/**
 * The Vitest plugin: adds the set-up file, the project's defaults and the report line.
 * Errors: TURNTAPE_INVALID_OPTION for an unknown option, and for functions other than ready-made normalisers (they
 * cannot reach the workers: `optionsModule`).
 */
export function replayPlugin(pluginOptions: ReplayPluginOptions = {}): Plugin {
  const { include = [], optionsModule, report = true, obsolete, reportFile, ...options } = pluginOptions
  const reportOptions = reportOptionsOf({ obsolete, reportFile })
  resolveOptions([options])
  const data = portable(options)
  const normalise = portableNormalisers(options)
  const setupFile = findSetupFile()
  return {
    name: 'turntape',
    config(user) {
      // Inlined, or it would not run again for each file without isolation. `true` inlines everything already, and
      // merging a list into it breaks Vitest.
      const inline: unknown = Reflect.get(user.test?.server?.deps ?? {}, 'inline')
      return inline === true ? {} : { test: { server: { deps: { inline: [setupPattern(setupFile)] } } } }
    },
    transform: {
      order: 'pre',
      handler(source) {
        const code = source.includes('recordTools') ? hoistRecordTools(source) : undefined
        return code === undefined ? undefined : { code, map: null }
      },
    },
    configureVitest({ vitest, project }) {
      if (!project.config.setupFiles.includes(setupFile)) project.config.setupFiles.unshift(setupFile)
      // A blob does not know whether it will be merged into a report that says lines.
      if (report && (saysLines(reportOptions) || hasReporter(vitest, 'blob')))
        project.config.includeTaskLocation ??= true
      const { root } = project.config
      const provided: ProvidedSettings & { readonly vitestVersion: string } = {
        options: data,
        normalise,
        include,
        root,
        vitestVersion: vitest.version,
        ...(optionsModule === undefined ? {} : { optionsModule: resolve(root, optionsModule) }),
      }
      project.provide('turntape', provided)
      const { reporters, watch } = vitest.config
      if (watch && !reporters.some((one) => one instanceof CassetteWatch)) reporters.push(new CassetteWatch() as never)
      if (report && !reporters.some((one) => one instanceof CassetteReporter)) {
        reporters.push(new CassetteReporter(reportOptions) as never)
      }
    },
  }
}

// Functions do not survive the way to the workers; patterns and plain data do, ready-made normalisers as data.
function portable(options: TapeOptions): TapeOptions {
  const { normalise, ...others } = options
  for (const [option, value] of Object.entries(others)) {
    const members: readonly unknown[] = Array.isArray(value) ? value : [value]
    if (members.some((member) => typeof member === 'function')) throw notPortable(option)
  }
  return others
}

function portableNormalisers(options: TapeOptions): readonly ReadyNormaliser[] {
  return (options.normalise ?? []).map((normaliser) => {
    const data = readyOf(normaliser)
    if (data === undefined) throw notPortable('normalise')
    return data
  })
}

function notPortable(option: string): ReplayError {
  const expected =
    "data or ready-made normalisers here; put functions into a module and name it: replayPlugin({ optionsModule: './turntape.options.ts' })"
  return new ReplayError('TURNTAPE_INVALID_OPTION', { option, given: 'a function', expected })
}

function findSetupFile(): string {
  const here = dirname(fileURLToPath(import.meta.url))
  const built = resolve(here, 'vitest-setup.js')
  return existsSync(built) ? built : resolve(here, 'setup.ts')
}

function setupPattern(file: string): RegExp {
  const tail = file.replaceAll('\\', '/').split('/').slice(-3).join('/')
  return new RegExp(`${escapePattern(tail)}$`)
}
