// @ts-check
/**
 * The closing line of a CI run, `N passed, N failed`, from the JSON report that Vitest wrote.
 * A test file that could not be collected has no tests to count: it counts as one failure.
 */
import { existsSync, readFileSync } from 'node:fs'

/** @typedef {{ status: string, assertionResults: { status: string }[] }} FileResult */

const [report = ''] = process.argv.slice(2)
if (existsSync(report)) {
  const { numPassedTests, numFailedTests, testResults } = JSON.parse(readFileSync(report, 'utf8'))
  const uncollected = /** @type {FileResult[]} */ (testResults).filter(isUncollected).length
  if (uncollected > 0) console.log(`${uncollected} test files could not be run`)
  console.log(`${numPassedTests} passed, ${numFailedTests + uncollected} failed`)
} else {
  console.log('the test run ended without a report')
  console.log('0 passed, 1 failed')
}

/** @param {FileResult} file */
function isUncollected(file) {
  return file.status === 'failed' && !file.assertionResults.some((test) => test.status === 'failed')
}
