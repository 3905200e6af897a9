/** Which cassettes `check` looks at. */
import { closeSync, openSync, readSync, statSync } from 'node:fs'
import { join } from 'node:path'
import picomatch from 'picomatch'
import { readShellArgument } from '../errors/shell-quote.ts'
import { posixRelative } from '../store/package-root.ts'
import { isSideFileName } from '../store/store-path.ts'
import type { CommandContext } from './command.ts'
import { didYouMean, nearestWord } from './nearest-word.ts'
import { usageError } from './usage-error.ts'

/**
 * Paths relative to the root, each once: all, or those the arguments name (files, folders, globs). A file that is no
 * cassette is passed over, so that a hook may hand on whatever is staged; a side file stands for its cassette.
 * @throws TURNTAPE_USAGE for a path that does not exist and a glob that matches nothing
 */
export function selectCassettes(given: readonly string[], context: CommandContext): readonly string[] {
  const all = context.store.list()
  if (given.length === 0) return all
  return [...new Set(given.flatMap((argument) => selectOne(argument, { ...context, all })))]
}

interface Selection extends CommandContext {
  readonly all: readonly string[]
}

function selectOne(argument: string, selection: Selection): readonly string[] {
  const { text } = readShellArgument(argument)
  const { cwd, root, all } = selection
  for (const file of [join(cwd, text), join(root, text)]) {
    const found = statSync(file, { throwIfNoEntry: false })
    if (found === undefined) continue
    const path = pathBelow(root, file)
    if (found.isDirectory()) return cassettesBelow(path, all)
    return cassettesOfFile({ path, file, all })
  }
  const matches = picomatch.scan(text).isGlob ? all.filter(globMatcher(text, selection)) : []
  if (matches.length > 0) return matches
  const nearest = nearestWord(
    text,
    all.flatMap((path) => [path, selection.shown(path)]),
  )
  const problem = picomatch.scan(text).isGlob ? `No cassette matches ${text}` : `Nothing is at ${text}`
  throw usageError(problem, `${didYouMean(nearest)}Give cassettes, folders or globs of them.`)
}

function globMatcher(glob: string, { shown }: CommandContext): (path: string) => boolean {
  const matches = picomatch(glob.replace(/^\.\//, ''))
  return (path) => matches(path) || matches(shown(path))
}

function pathBelow(root: string, file: string): string {
  const path = posixRelative(root, file).replace(/\/$/, '')
  if (!path.startsWith('../')) return path
  throw usageError(
    'What is outside of the project is not checked',
    'The project is the nearest folder with a package.json: go there.',
  )
}

function cassettesBelow(folder: string, all: readonly string[]): readonly string[] {
  if (folder === '') return all
  const found = all.filter((cassette) => cassette.startsWith(`${folder}/`))
  if (found.length > 0) return found
  throw usageError(`No cassette of this project is in ${folder}`, 'Another package has its own: go there.')
}

interface FoundFile {
  readonly path: string
  readonly file: string
  readonly all: readonly string[]
}

function cassettesOfFile({ path, file, all }: FoundFile): readonly string[] {
  const [, owner = '', name = ''] = /^(.*)\.files\/([^/]+)$/.exec(path) ?? []
  if (isSideFileName(name)) return all.filter((cassette) => cassette === `${owner}.json`)
  if (all.includes(path) || (path.endsWith('.json') && looksLikeCassette(file))) return [path]
  return []
}

/** Outside of the usual folder, where the option `path` may put them. */
function looksLikeCassette(file: string): boolean {
  const head = Buffer.alloc(200)
  const descriptor = openSync(file, 'r')
  try {
    readSync(descriptor, head)
  } finally {
    closeSync(descriptor)
  }
  return /"format"\s*:\s*"turntape\//.test(head.toString('utf8'))
}
