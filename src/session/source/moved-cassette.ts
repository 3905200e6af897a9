/**
 * Whether a test without a cassette was renamed or moved: a cassette that belongs to no test and begins with the same
 * request. Looked for once a session, at its first call; of most cassettes only the first lines are read. In doubt a
 * cassette belongs to a test.
 */
import { readFileSync } from 'node:fs'
import { join, posix } from 'node:path'
import type { HttpRequest } from '../../core/cassette/document.ts'
import { isPathOfName } from '../../core/cassette/joined-names.ts'
import { isReplayError } from '../../errors/replay-error.ts'
import type { CassetteHead } from '../../store/cassette-store.ts'
import { posixRelative } from '../../store/package-root.ts'
import { testFilesOf } from '../../store/test-files-of.ts'
import { once } from '../once.ts'
import type { SessionContext } from '../session-context.ts'
import { cassetteFolderOfRun, committedFolder } from './place-cassette.ts'
import { RecordingSource } from './recording-source.ts'

/** The first call of a session. */
export interface FirstCall {
  readonly lane: string | undefined
  readonly hash: string
  /** Of an HTTP call. */
  readonly request?: HttpRequest
}

export interface MovedCassette {
  /** The likeliest. */
  readonly from: string
  /** How many there are, that one included. */
  readonly candidates: number
  /** The whole file was moved: the folder of its cassettes, the one they belong in now, and how many they are. */
  readonly folder?: { readonly from: string; readonly to: string; readonly cassettes: number }
}

/** How many cassettes are looked at, and how many are read in full where requests count as equal by rules. */
const maxHeads = 500
const maxRead = 8

const found = new WeakMap<SessionContext, { readonly moved: MovedCassette | undefined }>()

export function findMovedCassette(context: SessionContext, first: FirstCall): MovedCassette | undefined {
  let known = found.get(context)
  if (known === undefined) {
    known = { moved: find(context, first) }
    found.set(context, known)
  }
  return known.moved
}

interface Candidate {
  readonly path: string
  /** Its test file: the one that runs, one that is gone, or another one, whose tests are not known. */
  readonly file: 'this' | 'gone' | 'another'
  /** Read once. */
  readonly head: () => CassetteHead | undefined
}

function find(context: SessionContext, first: FirstCall): MovedCassette | undefined {
  if (cassetteFolderOfRun() !== committedFolder) return undefined
  const candidates = candidatesOf(context)
  const ranked = rank(
    candidates.filter((candidate) => candidate.file !== 'another' || tookItsTest(context, candidate)),
    context.test.cassette,
  ).slice(0, maxHeads)
  const equal = ranked.filter((candidate) => beginsWith(candidate, first.hash))
  const matches =
    equal.length > 0 ? equal : ranked.slice(0, maxRead).filter(({ path }) => answers(context, path, first))
  const [best] = matches
  if (best === undefined) return undefined
  const folder = movedFolder(context, best, candidates)
  return { from: best.path, candidates: matches.length, ...(folder === undefined ? {} : { folder }) }
}

const candidatesByFile = new WeakMap<object, readonly Candidate[]>()

/** Cassettes that may belong to no test; the same for all tests of a file, so that they are looked for once. */
function candidatesOf(context: SessionContext): readonly Candidate[] {
  const key = context.test.ofFile()
  let candidates = candidatesByFile.get(key)
  if (candidates === undefined) {
    candidates = lookForCandidates(context)
    candidatesByFile.set(key, candidates)
  }
  return candidates
}

function lookForCandidates({ test, host }: SessionContext): readonly Candidate[] {
  const own = new Set(test.ofFile())
  const ownFolders = new Set([...own].map((path) => posix.dirname(path)))
  const files = new Map<string, Candidate['file']>()
  const fileOf = (folder: string): Candidate['file'] => {
    // `a.test.ts` and `a.test.js` share a folder.
    const others = testFilesOf(test.root, folder).filter((file) => posixRelative(test.root, file) !== test.file)
    const isShared = others.some((file) => /\.[cm]?[jt]sx?$/.test(file))
    if (ownFolders.has(folder)) return isShared ? 'another' : 'this'
    // These folders do not tell their test file.
    if (/^cassettes\/_(?:long|up)\b/.test(folder)) return 'another'
    return others.length > 0 ? 'another' : 'gone'
  }
  return host.store.list().flatMap((path) => {
    if (own.has(path)) return []
    const folder = posix.dirname(path)
    const file = files.get(folder) ?? fileOf(folder)
    files.set(folder, file)
    return [{ path, file, head: once(() => host.store.head(path)) }]
  })
}

/** Of a file that is still there: a test of these very names stands in our file, and no more in that one. */
function tookItsTest({ test }: SessionContext, { path }: Candidate): boolean {
  if (posix.basename(path) !== posix.basename(test.cassette)) return false
  const title = test.names.at(-1) ?? ''
  const holds = (file: string): boolean => readText(file).includes(title)
  const others = testFilesOf(test.root, posix.dirname(path))
  // A title that is made when the tests are defined stands in neither, and says nothing.
  return others.length > 0 && holds(join(test.root, test.file)) && !others.some(holds)
}

function readText(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return '' // a folder, or not readable
  }
}

/** Its name must have made its path: a cassette that the option `path` placed may belong to any test. */
function beginsWith({ path, head: read }: Candidate, hash: string): boolean {
  const head = read()
  return head?.firstHash === hash && isPathOfName(path, head.test)
}

/** By the normalisers of this test. */
function answers({ host, options }: SessionContext, path: string, first: FirstCall): boolean {
  const { request, hash, lane } = first
  if (request === undefined || options.normalise.length === 0) return false
  try {
    const stored = host.store.read(path, options.caps)
    if (stored === undefined || !isPathOfName(path, stored.cassette.test)) return false
    const init = { stored, from: 'committed', order: 'recorded', normalisers: options.normalise } as const
    const taken = new RecordingSource(init).takeHttp({ lane, hash, request })
    return taken.kind === 'served' && taken.number === 1
  } catch (error) {
    if (isReplayError(error)) return false // it cannot be read: `turntape check` says so
    throw error
  }
}

/** The likeliest first: the same names, then the same file, then the most words in common. */
function rank(candidates: readonly Candidate[], wanted: string): readonly Candidate[] {
  const name = posix.basename(wanted)
  const scored = candidates.map((candidate) => {
    const own = posix.basename(candidate.path)
    const nearness = (own === name ? 4 : 0) + (candidate.file === 'this' ? 2 : 0) + commonWords(own, name)
    return { candidate, nearness }
  })
  return scored.sort((one, other) => other.nearness - one.nearness).map(({ candidate }) => candidate)
}

/** From 0 to 1. */
function commonWords(one: string, other: string): number {
  const [words, others] = [one, other].map((name) => new Set(name.replace(/\.json$/, '').split(/[-_]+/)))
  if (words === undefined || others === undefined) return 0
  const common = [...words].filter((word) => others.has(word)).length
  return common / (words.size + others.size - common)
}

/** Where a cassette of the same names is left by a file that is gone, and ours has none: all of them were moved. */
function movedFolder(
  { test, host }: SessionContext,
  best: Candidate,
  candidates: readonly Candidate[],
): MovedCassette['folder'] {
  const own = test.ofFile()
  const isMoved = best.file === 'gone' && posix.basename(best.path) === posix.basename(test.cassette)
  if (!isMoved || !own.includes(test.cassette) || own.some((path) => host.store.head(path) !== undefined)) return
  const from = posix.dirname(best.path)
  const cassettes = candidates.filter(({ path }) => posix.dirname(path) === from).length
  return cassettes < 2 ? undefined : { from, to: posix.dirname(test.cassette), cassettes }
}
