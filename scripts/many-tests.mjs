// @ts-check
/** Runs `test/runners/many.test.ts` with a thousand tests: `node scripts/many-tests.mjs [count]`, a multiple of 4. */
import process from 'node:process'
import { runTestFile } from './run-test-file.mjs'

runTestFile({
  file: 'test/runners/many.test.ts',
  variable: 'TURNTAPE_MANY',
  value: process.argv[2] ?? '1000',
})
