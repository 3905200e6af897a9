/**
 * What is published: one ES module per public entry, sharing chunks.
 * - `splitting`: one copy of each module's state, whichever entries a run loads.
 * - No source maps: the output is not minified and reads like the source, and maps, which hold the sources again, make the
 *   tarball about three times as large.
 */
import type { Options } from 'tsup'

export default {
  entry: {
    index: 'src/index.ts',
    vitest: 'src/runners/vitest/index.ts',
    'vitest-setup': 'src/runners/vitest/setup.ts',
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
    },
  },
  external: ['vitest', /^vitest\//, 'vite'],
} satisfies Options
