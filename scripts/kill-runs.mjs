// @ts-check
/**
 * Runs `test/kills/kills.test.ts` with a thousand kills at random moments, and kill -9 in every change of every write:
 * `node scripts/kill-runs.mjs [count]`.
 */
import process from 'node:process'
import { runTestFile } from './run-test-file.mjs'

runTestFile({
  file: 'test/kills/kills.test.ts',
  variable: 'TURNTAPE_KILLS',
  value: process.argv[2] ?? '1000',
  options: ['--testTimeout', '3600000'],
})
