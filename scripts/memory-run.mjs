// @ts-check
/** Runs `test/life/memory.test.ts` with ten thousand tests: `node scripts/memory-run.mjs [count]`, a multiple of 5. */
import process from 'node:process'
import { runTestFile } from './run-test-file.mjs'

runTestFile({
  file: 'test/life/memory.test.ts',
  variable: 'TURNTAPE_MEMORY',
  value: process.argv[2] ?? '10000',
})
