/** Which cassettes belong to no test any more: pure, over what was collected and what is on disk. Doubt keeps a cassette. */
import { posix } from 'node:path'
import { cassettePath, nameIndexes } from '../core/cassette/cassette-path.ts'
import { joinNames, possibleNames } from './test-argument.ts'

export interface TestFile {
  /** POSIX, relative to the package root. */
  readonly file: string
  readonly failed: boolean
  /** The names of each test, in the order of the file, once for each project that runs the file. */
  readonly tests: readonly (readonly string[])[]
}

export interface FoundCassette {
  readonly path: string
  /** The test named in its header; undefined: it cannot be read. */
  readonly test: string | undefined
}

export type Verdict =
  | { readonly kind: 'in use' }
  | { readonly kind: 'kept'; readonly reason: string }
  | { readonly kind: 'obsolete'; readonly reason: string }

export interface Situation {
  readonly files: readonly TestFile[]
  /** True where a test file is on disk whose cassettes are in this folder. */
  readonly testFileExists: (folder: string) => boolean
  readonly cassetteExists: (path: string) => boolean
}

/** Decides for each cassette of a project. */
export function createJudge({ files, testFileExists, cassetteExists }: Situation): (found: FoundCassette) => Verdict {
  const paths = new Set(files.flatMap(cassettePathsOf))
  const byFolder = groupByFolder(files)
  const isLeft = (test: string): TestFile | undefined => {
    return files.find((file) =>
      file.tests.some((names) => joinNames(names) === test && !cassetteExists(pathOf(file, names))),
    )
  }
  return ({ path, test }) => {
    if (paths.has(path)) return { kind: 'in use' }
    const folder = posix.dirname(path)
    const own = byFolder.get(folder)
    if (own?.some(({ failed }) => failed)) return kept(`${own[0]?.file} could not be collected`)
    if (own === undefined && /^cassettes\/_(?:long|up)\b/.test(folder))
      return kept('its folder does not tell its test file')
    if (own === undefined && testFileExists(folder)) return kept('Vitest does not list its test file')
    if (test === undefined) return kept('it cannot be read: see turntape check')
    if (own?.some(({ tests }) => tests.some((names) => joinNames(names) === test))) {
      return kept(`its test is still in ${own[0]?.file}, with another path`)
    }
    if (!isMadeFrom(path, test)) return kept('its path was not made from its test')
    const elsewhere = isLeft(test)
    if (elsewhere !== undefined)
      return kept(`${elsewhere.file} has a test of that name without a cassette: was it moved?`)
    return {
      kind: 'obsolete',
      reason: own === undefined ? 'its test file is gone' : `its test is gone from ${own[0]?.file}`,
    }
  }
}

/** The paths of all tests of a file, equal names told apart by their order (F21). */
function cassettePathsOf({ file, tests }: TestFile): readonly string[] {
  const indexes = nameIndexes(tests)
  return tests.map((names, at) => cassettePath({ testFile: file, names, index: indexes[at] ?? 1 }))
}

function pathOf({ file }: TestFile, names: readonly string[]): string {
  return cassettePath({ testFile: file, names, index: 1 })
}

function folderOfFile(file: TestFile): string {
  return posix.dirname(pathOf(file, ['test']))
}

/** Whether the path rule gives this path for a test of this name; the extension of the test file does not count. */
function isMadeFrom(path: string, test: string): boolean {
  const testFile = `${posix.dirname(path).replace(/^cassettes\//, '')}.ts`
  const index = Number(/--(\d+)\.json$/.exec(path)?.[1] ?? 1)
  const indexes = new Set([1, index])
  return possibleNames(test).some((names) =>
    [...indexes].some((one) => cassettePath({ testFile, names, index: one }) === path),
  )
}

function kept(reason: string): Verdict {
  return { kind: 'kept', reason }
}

function groupByFolder(files: readonly TestFile[]): ReadonlyMap<string, readonly TestFile[]> {
  const groups = new Map<string, TestFile[]>()
  for (const file of files) {
    const folder = folderOfFile(file)
    groups.set(folder, [...(groups.get(folder) ?? []), file])
  }
  return groups
}
