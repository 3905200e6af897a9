/**
 * What is published: one ES module per public entry, sharing chunks.
 * - `splitting`: one copy of each module's state, whichever entries a run loads.
 * - No source maps: the output is not minified and reads like the source, and maps, which hold the sources again, make the
 *   tarball about three times as large.
 * - CommonJS where Jest may ask for it: small files that load the one build outside of Jest's realm.
 */
import type { Options } from 'tsup'
import { lateModules } from './scripts/late-modules.mjs'

/** Packages of which a part is written into the output, so that nobody installs them. */
export const builtIn = ['std-env']

export const modules = {
  entry: {
    index: 'src/index.ts',
    vitest: 'src/runners/vitest/index.ts',
    'vitest-setup': 'src/runners/vitest/setup.ts',
    'jest-core': 'src/runners/jest/core.ts',
    'jest-reporter': 'src/runners/jest/reporter.ts',
    mcp: 'src/mcp/index.ts',
    cli: 'src/cli/index.ts',
  },
  format: 'esm',
  target: 'node20',
  platform: 'node',
  splitting: true,
  removeNodeProtocol: false,
  dts: {
    entry: {
      index: 'src/index.ts',
      vitest: 'src/runners/vitest/index.ts',
      'vitest-setup': 'src/runners/vitest/setup.ts',
      jest: 'src/runners/jest/index.ts',
      'jest-reporter': 'src/runners/jest/reporter.ts',
      mcp: 'src/mcp/index.ts',
    },
  },
  external: ['vitest', /^vitest\//, 'vite'],
  noExternal: builtIn,
  esbuildPlugins: [lateModules()],
} satisfies Options

/** Runs in the realm of a test file and loads the rest outside of it: shares nothing with the modules above. */
export const realmModule = {
  entry: { jest: 'src/runners/jest/index.ts' },
  format: 'esm',
  target: 'node20',
  platform: 'node',
  removeNodeProtocol: false,
} satisfies Options

export const commonJs = {
  entry: {
    index: 'src/runners/jest/index-for-require.ts',
    jest: 'src/runners/jest/index.ts',
    'jest-setup': 'src/runners/jest/setup.ts',
    mcp: 'src/runners/jest/mcp-for-require.ts',
  },
  format: 'cjs',
  target: 'node20',
  platform: 'node',
  removeNodeProtocol: false,
  dts: {
    entry: {
      index: 'src/index.ts',
      jest: 'src/runners/jest/index.ts',
      'jest-setup': 'src/runners/jest/setup.ts',
      mcp: 'src/mcp/index.ts',
    },
  },
} satisfies Options

export default [modules, realmModule, commonJs]
