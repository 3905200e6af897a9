/** The sources as the package has them, with what the bench needs of their inside as one more entry. */
import type { Options } from 'tsup'
import { modules } from '../tsup.config.ts'

export default {
  ...modules,
  entry: { harness: 'bench/harness.ts' },
  outDir: 'node_modules/.cache/turntape-bench',
  dts: false,
} satisfies Options
