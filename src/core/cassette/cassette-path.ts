/** The path of a cassette from its test (F21). The path is the identity: a change here loses paid recordings. */
import { contentHash } from './content-hash.ts'

export interface TestPlace {
  /** The test file, relative to the package root; `..` leads out of it. */
  readonly testFile: string
  /** The names of the describe blocks, outermost first, then the test's own. */
  readonly names: readonly string[]
  /** 1-based, among the tests of the file whose `pathKey` is equal, in the order of the file. */
  readonly index: number
}

/** POSIX, relative to the package root: `cassettes/<test file without extension>/<names>.json`, at most 200 UTF-16 units. */
export function cassettePath({ testFile, names, index }: TestPlace): string {
  return pathIn(cassetteFolder(testFile), { stem: stemOf(names), names, index })
}

interface NamedStem extends Pick<TestPlace, 'names' | 'index'> {
  readonly stem: string
}

function pathIn(folder: string, { stem, names, index }: NamedStem): string {
  const suffix = index > 1 ? `--${index}` : ''
  const room = maxPathLength - folder.length - '/.json'.length - suffix.length
  return `${folder}/${fit(stem, room, names)}${suffix}.json`
}

/** Two tests of one file with equal keys would have one path, on a file system that ignores case as well. */
export function pathKey(names: readonly string[]): string {
  return keyOfStem(stemOf(names))
}

function keyOfStem(stem: string): string {
  return stem.toUpperCase()
}

const maxPathLength = 200

/** File systems bound one name by its bytes, mostly at 255; this leaves room for an index and for `.files`. */
const maxStemBytes = 230

/** A folder longer than this leaves too little for the name. */
const maxFolderLength = 140

/** Names that Windows keeps for devices, whatever the extension. */
const reservedName = /^(?:con|prn|aux|nul|(?:com|lpt)[0-9¹²³])$/

/** The folder of the cassettes of a test file, POSIX, relative to the package root. */
export function cassetteFolder(testFile: string): string {
  const segments = testFile
    .replaceAll('\\', '/')
    .split('/')
    .filter((segment) => segment !== '' && segment !== '.')
  const file = segments.pop() ?? ''
  const folders = segments.map((segment) => (segment === '..' ? '_up' : folderSegment(segment)))
  const folder = ['cassettes', ...folders, fileSegment(file)].join('/')
  return folder.length <= maxFolderLength ? folder : `cassettes/_long/${contentHash(folder).slice(0, 16)}`
}

/** One folder of a test file's path as it stands in that of a cassette: composed, without what Windows keeps for drives. */
export function folderSegment(name: string): string {
  const segment = name.normalize('NFC').replaceAll(':', '')
  // What is left of `.:.`, or of a file `...ts` without its extension, leads out no more than a folder `..` does.
  if (segment === '..') return '_up'
  // The format's own folders: a real one of that name gets one `_` more, and so does that one.
  return /^_+(?:up|long|shared)$/i.test(segment) ? `_${segment}` : segment
}

/** The test file's own name, without its last extension. */
export function fileSegment(name: string): string {
  return folderSegment(name.replace(/(.)\.[^.]*$/, '$1'))
}

function stemOf(names: readonly string[]): string {
  const stem = names.map(slugOf).join('__')
  return reservedName.test(stem) ? `${stem}_` : stem
}

/** Letters, marks, digits and `_` as they are, in lower case and composed; one `-` for each run of anything else. */
function slugOf(name: string): string {
  const slug = name
    .normalize('NFC')
    .toLowerCase()
    .normalize('NFC')
    .replace(/[^\p{L}\p{M}\p{N}_]+/gu, '-')
    .replace(/^-|-$/g, '')
  return slug === '' ? 'test' : slug
}

/** The stem, or where it is too long its beginning and eight digits of the hash of the full names. */
function fit(stem: string, room: number, names: readonly string[]): string {
  if (stem.length <= room && Buffer.byteLength(stem) <= maxStemBytes) return stem
  const hash = contentHash(names.join('\u0000')).slice(0, 8)
  let start = ''
  // By characters: half of a surrogate pair is no file name.
  for (const character of stem) {
    const longer = start + character
    if (longer.length + 9 > room || Buffer.byteLength(longer) + 9 > maxStemBytes) break
    start = longer
  }
  return `${start.replace(/[-_]+$/, '')}-${hash}`
}

/**
 * The `index` of each test of one file, in the order given, which is that of the file: 1 for the first of equal names,
 * then 2, 3… `tests` are the names of ALL tests of the file, whatever filters run.
 */
export function nameIndexes(tests: readonly (readonly string[])[]): readonly number[] {
  return indexesOf(tests.map(stemOf))
}

function indexesOf(stems: readonly string[]): readonly number[] {
  const counts = new Map<string, number>()
  return stems.map((stem) => {
    const key = keyOfStem(stem)
    const index = (counts.get(key) ?? 0) + 1
    counts.set(key, index)
    return index
  })
}

/** The paths of all tests of one file, in the order given, which is that of the file; equal names told apart. */
export function cassettePaths({ testFile, tests }: TestsOfFile): readonly string[] {
  const folder = cassetteFolder(testFile)
  const stems = tests.map(stemOf)
  const indexes = indexesOf(stems)
  return tests.map((names, at) => pathIn(folder, { stem: stems[at] ?? '', names, index: indexes[at] ?? 1 }))
}

interface TestsOfFile extends Pick<TestPlace, 'testFile'> {
  /** The names of ALL its tests. */
  readonly tests: readonly (readonly string[])[]
}
