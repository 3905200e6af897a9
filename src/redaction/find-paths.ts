import type { PathPlaceholder } from './placeholder.ts'
import type { PathSpan } from './span.ts'
import { isNameBorder } from './text-borders.ts'

/** Folders of this machine, absolute. */
export interface MachineFolders {
  readonly project: string
  readonly home: string
  /** Every spelling of the temporary folder that is known, real path included. */
  readonly temporary: readonly string[]
}

export type PathFinder = (text: string) => PathSpan[]

/** Shorter roots (`/`, `C:`) would match anything. */
const minRootLength = 3

/** Temporary everywhere, so that a prompt that names it reads alike on every machine. */
const commonTemporary = ['/tmp', '/private/tmp']

/** Finds path prefixes, the longest first, on borders of path segments; in JSON, URL and Windows spelling too. */
export function createPathFinder(folders: MachineFolders): PathFinder {
  let known: KnownRoots | undefined
  return (text) => {
    // Not before: a replay whose requests are the recorded ones looks for none.
    known ??= rememberedRoots(folders)
    const { roots, pattern } = known
    const spans: PathSpan[] = []
    pattern.lastIndex = 0
    for (let match = pattern.exec(text); match !== null; match = pattern.exec(text)) {
      const start = withEscape(text, match.index)
      if (!isPathBorder(text, start)) {
        pattern.lastIndex = match.index + 1
        continue
      }
      const which = match.findIndex((group, index) => index > 0 && group !== undefined)
      const placeholder = (roots[which - 1] as Root).placeholder
      spans.push({ start, end: match.index + match[0].length, placeholder })
    }
    return spans
  }
}

interface KnownRoots {
  readonly roots: readonly Root[]
  readonly pattern: RegExp
}

let last: { readonly key: string; readonly known: KnownRoots } | undefined

/** Every test has a finder of its own, and those of a file the same folders. */
function rememberedRoots(folders: MachineFolders): KnownRoots {
  const key = JSON.stringify([folders.project, folders.home, folders.temporary])
  if (last?.key !== key) last = { key, known: knownRoots(folders) }
  return last.known
}

function knownRoots(folders: MachineFolders): KnownRoots {
  const roots = rootsOf(folders)
  const alternatives = roots.map(({ path }) => `(${spellings(path)})`).join('|')
  return { roots, pattern: new RegExp(`(?:${alternatives})${segmentEnd}`, 'g') }
}

interface Root {
  readonly path: string
  readonly placeholder: PathPlaceholder
}

function rootsOf({ project, home, temporary }: MachineFolders): Root[] {
  const all: Root[] = [
    { path: project, placeholder: '<project>' },
    { path: home, placeholder: '<home>' },
    ...[...temporary.flatMap(withRealPath), ...commonTemporary].map((path): Root => ({ path, placeholder: '<tmp>' })),
  ]
  const seen = new Set<string>()
  return all
    .map((root) => ({ ...root, path: root.path.replace(/[\\/]+$/, '') }))
    .filter(({ path }) => path.length >= minRootLength && !seen.has(path) && seen.add(path))
    .sort((a, b) => b.path.length - a.path.length)
}

/** macOS keeps `/tmp` and `/var` under `/private`. */
function withRealPath(path: string): string[] {
  if (/^\/(?:tmp|var)(?:\/|$)/.test(path)) return [path, `/private${path}`]
  return path.startsWith('/private/') ? [path, path.slice('/private'.length)] : [path]
}

/** Not before what goes on with the name, nor before a placeholder that took the place of such. */
const segmentEnd = '(?![A-Za-z0-9_\\-\\u00c0-\\u024f\\u0370-\\u052f])(?!\\.[A-Za-z0-9_])(?!\\.?<redacted:)'

function isPathBorder(text: string, start: number): boolean {
  // A relative path (`./home`) is not the folder.
  return isNameBorder(text, start) && text[start - 1] !== '.'
}

/** A slash may be written `\/` in JSON, `\\/` in JSON in a string: the backslashes go with it, or they would escape what comes instead. */
function withEscape(text: string, index: number): number {
  if (text[index] !== '/') return index
  let start = index
  while (text[start - 1] === '\\') start -= 1
  return start
}

/** A pattern for every way in which a path is written in text, JSON (in strings too) and URLs. */
function spellings(path: string): string {
  const isWindows = /^(?:[A-Za-z]:|\\\\)/.test(path)
  const [first, ...rest] = [...path].map((letter) => (isWindows ? windowsLetter(letter) : letterSpellings(letter)))
  // Of backslashes before the first slash `withEscape` decides.
  return (path[0] === '/' ? '(?:/|%2[Ff])' : first) + rest.join('')
}

function windowsLetter(letter: string): string {
  if (letter === '\\' || letter === '/') return '(?:[\\\\/]{1,8}|%5[Cc]|%2[Ff])'
  if (letter === ':') return '(?::|%3[Aa])'
  return /[A-Za-z]/.test(letter) ? `[${letter.toLowerCase()}${letter.toUpperCase()}]` : letterSpellings(letter)
}

function letterSpellings(letter: string): string {
  if (letter === '/') return '(?:\\\\{0,3}/|%2[Ff])'
  const literal = letter.replace(/[.*+?^${}()|[\]\\]/, '\\$&')
  if (/^[A-Za-z0-9._~-]$/.test(letter)) return literal
  const units = Array.from({ length: letter.length }, (_, unit) => letter.charCodeAt(unit))
  const json = units.map((unit) => `\\\\{1,8}u${anyCase(unit.toString(16).padStart(4, '0'))}`).join('')
  return `(?:${literal}|${json}|${anyCase(encodeLetter(letter))})`
}

function encodeLetter(letter: string): string {
  return [...new TextEncoder().encode(letter)].map((byte) => `%${byte.toString(16).padStart(2, '0')}`).join('')
}

function anyCase(hex: string): string {
  return hex.replace(/[a-f]/g, (digit) => `[${digit}${digit.toUpperCase()}]`)
}
