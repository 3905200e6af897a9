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
  const suffix = index > 1 ? `--${index}` : ''
  const folder = cassetteFolder(testFile)
  const room = maxPathLength - folder.length - '/.json'.length - suffix.length
  return `${folder}/${fit(stemOf(names), room, names)}${suffix}.json`
}

/** Two tests of one file with equal keys would have one path, on a file system that ignores case as well. */
export function pathKey(names: readonly string[]): string {
  return stemOf(names).toUpperCase()
}

const maxPathLength = 200

/** File systems bound one name by its bytes, mostly at 255; this leaves room for an index and for `.files`. */
const maxStemBytes = 230

/** A folder longer than this leaves too little for the name. */
const maxFolderLength = 140

/** Names that Windows keeps for devices, whatever the extension. */
const reservedName = /^(?:con|prn|aux|nul|(?:com|lpt)[0-9¹²³])$/

function cassetteFolder(testFile: string): string {
  const segments = testFile
    .replaceAll('\\', '/')
    .split('/')
    .filter((segment) => segment !== '' && segment !== '.')
  const file = segments.pop() ?? ''
  const folders = segments.map((segment) => (segment === '..' ? '_up' : segment.replaceAll(':', '')))
  const folder = ['cassettes', ...folders, file.replace(/(.)\.[^.]*$/, '$1')].join('/')
  return folder.length <= maxFolderLength ? folder : `cassettes/_long/${contentHash(folder).slice(0, 16)}`
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
  const counts = new Map<string, number>()
  return tests.map((names) => {
    const key = pathKey(names)
    const index = (counts.get(key) ?? 0) + 1
    counts.set(key, index)
    return index
  })
}
