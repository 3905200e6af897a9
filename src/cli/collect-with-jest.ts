/**
 * Every test of the project as Jest collects them: it has no command for that, so it runs them with a name that none has.
 * What is skipped is then not told apart from what was filtered.
 */
import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { CollectedFile, CollectOptions } from './collection.ts'
import { jestProgram } from './find-jest.ts'

/** Undefined where Jest gave no result. */
export async function collectWithJest({
  folder,
  env,
  filters = [],
}: CollectOptions): Promise<readonly CollectedFile[] | undefined> {
  const place = mkdtempSync(join(tmpdir(), 'turntape-collect-'))
  try {
    const outputFile = join(place, 'result.json')
    const paths = filters.length === 0 ? [] : ['--runTestsByPath', ...filters]
    const args = ['--json', `--outputFile=${outputFile}`, '--testNamePattern=a^', '--coverage=false', '--ci', ...paths]
    const child = spawn(process.execPath, [...process.execArgv, jestProgram(folder), ...args], {
      cwd: folder,
      env: { ...env, TURNTAPE_MODE: 'replay', TURNTAPE_REPORT: '' },
      stdio: 'ignore',
    })
    await new Promise((resolve) => child.on('close', resolve).on('error', resolve))
    return (JSON.parse(readFileSync(outputFile, 'utf8')) as JestResult).testResults.map((file) =>
      collectedFile(file, folder),
    )
  } catch {
    return undefined // no result: the caller says so
  } finally {
    rmSync(place, { recursive: true, force: true })
  }
}

/** What is used of `--json`. */
interface JestResult {
  readonly testResults: readonly JestFileResult[]
}

interface JestFileResult {
  readonly name: string
  readonly status: string
  readonly assertionResults: readonly { readonly ancestorTitles: readonly string[]; readonly title: string }[]
}

function collectedFile({ name, status, assertionResults }: JestFileResult, folder: string): CollectedFile {
  return {
    file: name.replaceAll('\\', '/'),
    folder,
    failed: status === 'failed',
    tests: assertionResults.map(({ ancestorTitles, title }) => ({ names: [...ancestorTitles, title], skipped: false })),
  }
}
