/**
 * Which cassettes belong to no test any more: pure, over the tests that a runner knows and what is on disk, for the report
 * at the end of a run and for `turntape prune`. Doubt keeps a cassette.
 */
import { posix } from 'node:path'
import { cassettePath, cassettePaths } from '../../core/cassette/cassette-path.ts'
import { isPathOfName, joinNames } from '../../core/cassette/joined-names.ts'

export interface TestFile {
  /** POSIX, relative to the package root. */
  readonly file: string
  /** True: not all of its tests are known. */
  readonly failed: boolean
  /** The names of each test, in the order of the file, once for each project that runs the file. */
  readonly tests: readonly (readonly string[])[]
}

export interface FoundCassette {
  readonly path: string
  /** The test named in its header; undefined: it cannot be read. Asked for only where the path does not decide. */
  readonly test: () => string | undefined
}

export type Verdict =
  | { readonly kind: 'in use' }
  | { readonly kind: 'kept'; readonly reason: string }
  | { readonly kind: 'obsolete'; readonly reason: string }

export interface Situation {
  readonly files: readonly TestFile[]
  /** False: there may be test files beside these, so that a cassette of another file is not judged. */
  readonly whole: boolean
  /** Cassettes that a tape of the run opened, wherever they lie. */
  readonly opened: ReadonlySet<string>
  /** Paths whose tests ran and passed without a tape. */
  readonly unasked: ReadonlySet<string>
  /** The test files on disk whose cassettes are in this folder; POSIX, relative to the package root. */
  readonly testFilesOf: (folder: string) => readonly string[]
  readonly cassetteExists: (path: string) => boolean
}

/** Decides for each cassette of a package root. */
export function createJudge(situation: Situation): (found: FoundCassette) => Verdict {
  const { files, opened, unasked } = situation
  const paths = new Set(files.flatMap(({ file, tests }) => cassettePaths({ testFile: file, tests })))
  const byFolder = groupByFolder(files)
  return ({ path, test }) => {
    if (opened.has(path)) return { kind: 'in use' }
    if (paths.has(path)) {
      return unasked.has(path)
        ? obsolete('its test passed and made no use of it, it is not covered: delete it, or -u on a full run')
        : { kind: 'in use' }
    }
    const own = byFolder.get(posix.dirname(path))
    const reason = unknownFile(path, { ...situation, own })
    return reason === undefined ? judgeByName({ path, test: test(), own, situation }) : kept(reason)
  }
}

interface OfFolder extends Situation {
  readonly own: readonly TestFile[] | undefined
}

/** Why nothing can be said of a cassette in this folder; undefined: all tests of its file are known, or the file is gone. */
function unknownFile(path: string, { own, whole, testFilesOf }: OfFolder): string | undefined {
  const folder = posix.dirname(path)
  if (own?.some(({ failed }) => failed)) return `${own[0]?.file} could not be collected`
  if (own !== undefined) {
    // `a.test.ts` and `a.test.js` share a folder.
    const absent = whole ? [] : testFilesOf(folder).filter((file) => !own.some((one) => one.file === file))
    const script = absent.find((file) => /\.[cm]?[jt]sx?$/.test(file))
    return script === undefined ? undefined : `${script} was not run`
  }
  if (!whole) return 'its test file was not run'
  if (/^cassettes\/_(?:long|up)\b/.test(folder)) return 'its folder does not tell its test file'
  return testFilesOf(folder).length > 0 ? 'the runner does not list its test file' : undefined
}

interface NamedCassette {
  readonly path: string
  readonly test: string | undefined
  readonly own: readonly TestFile[] | undefined
  readonly situation: Situation
}

function judgeByName({ path, test, own, situation }: NamedCassette): Verdict {
  if (test === undefined) return kept('it cannot be read: see turntape check')
  if (own?.some(({ tests }) => tests.some((names) => joinNames(names) === test))) {
    return kept(`its test is still in ${own[0]?.file}, with another path`)
  }
  if (!isPathOfName(path, test)) return kept('its path was not made from its test')
  const { files, cassetteExists } = situation
  const elsewhere = files.find((file) =>
    file.tests.some((names) => joinNames(names) === test && !cassetteExists(pathOf(file, names))),
  )
  if (elsewhere !== undefined)
    return kept(`${elsewhere.file} has a test of that name without a cassette: was it moved?`)
  return obsolete(own === undefined ? 'its test file is gone' : `its test is gone from ${own[0]?.file}`)
}

function pathOf({ file }: TestFile, names: readonly string[]): string {
  return cassettePath({ testFile: file, names, index: 1 })
}

function folderOfFile(file: TestFile): string {
  return posix.dirname(pathOf(file, ['test']))
}

function kept(reason: string): Verdict {
  return { kind: 'kept', reason }
}

function obsolete(reason: string): Verdict {
  return { kind: 'obsolete', reason }
}

function groupByFolder(files: readonly TestFile[]): ReadonlyMap<string, readonly TestFile[]> {
  const groups = new Map<string, TestFile[]>()
  for (const file of files) {
    const folder = folderOfFile(file)
    groups.set(folder, [...(groups.get(folder) ?? []), file])
  }
  return groups
}
