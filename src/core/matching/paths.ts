/** `paths`: the normaliser for folders and files whose names are made at random. */
import type { Normaliser } from './normaliser.ts'
import { ready } from './ready-normaliser.ts'
import { rewriteTexts } from './rewrite-texts.ts'

const temporaryRoots = [
  '<tmp>',
  '(?:<home>|[A-Za-z]:[\\\\/]+Users[\\\\/]+[^\\\\/\\s]+)[\\\\/]+AppData[\\\\/]+Local[\\\\/]+Temp',
  '(?:(?<=file://)|(?<![\\w./>~-]))(?:/private)?/var/folders/[^/\\s]+/[^/\\s]+/T',
  '(?:(?<=file://)|(?<![\\w./>~-]))(?:/private)?/tmp',
]
/** A name in running text ends at white space, quotes, brackets and punctuation that file names seldom hold. */
const segments = '((?:[\\\\/]+[^\\\\/\\s"\'`<>|:*?,;(){}\\[\\]]+)+)'
const pathPattern = new RegExp(`(?:(${temporaryRoots.join('|')})|(<project>|<home>))${segments}`, 'g')

/**
 * Replaces the part of a path that was made at random by `<random>`. Under a temporary folder that is the first name
 * if it is a folder, or ends as `mkdtemp` ends its names; under `<project>` and `<home>` (which redaction has put in
 * the place of the real folders) the first name that looks made at random. A file keeps its extension.
 * Every temporary folder counts as `<tmp>`.
 */
export function paths(): Normaliser {
  return ready('paths', [], (request) =>
    rewriteTexts(request, (text) =>
      text.replace(pathPattern, (_, temporary: string | undefined, other: string | undefined, names: string) =>
        temporary === undefined ? `${other}${rewriteFirstRandom(names)}` : `<tmp>${rewriteTemporary(names)}`,
      ),
    ),
  )
}

function rewriteTemporary(names: string): string {
  const [, separator = '', first = '', rest = ''] = /^([\\/]+)([^\\/]+)(.*)$/s.exec(names) ?? []
  if (rest !== '') return `${separator}<random>${rest}`
  const { stem, extension } = splitName(first)
  return endsLikeMkdtemp(stem) || looksRandom(stem) ? `${separator}<random>${extension}` : names
}

function rewriteFirstRandom(names: string): string {
  let found = false
  return names.replace(/[^\\/]+/g, (name) => {
    const { stem, extension } = splitName(name)
    if (found || !looksRandom(stem)) return name
    found = true
    return `<random>${extension}`
  })
}

/** `extension` holds the full stop of the sentence too. */
function splitName(name: string): { readonly stem: string; readonly extension: string } {
  const extension = /(?:\.[A-Za-z]\w{0,4})?\.?$/.exec(name.slice(1))?.[0] ?? ''
  return { stem: name.slice(0, name.length - extension.length), extension }
}

/** Six letters or digits after a separator, or alone. */
function endsLikeMkdtemp(stem: string): boolean {
  return /(?:^|[-_.])[A-Za-z0-9]{6}$/.test(stem)
}

/** A UUID, a time stamp, or a last part that mixes letters and digits, or cases, as no word does. */
function looksRandom(stem: string): boolean {
  if (/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/i.test(stem)) return true
  const part = stem.split(/[-_.]/).at(-1) ?? ''
  if (/^\d{10,}$/.test(part)) return true
  if (part.length < 6 || !/^[A-Za-z0-9]+$/.test(part)) return false
  if (/\d/.test(part) && /[A-Za-z]/.test(part)) return true
  return part.length === 6 && part !== stem && /[A-Z]/.test(part.slice(1)) && /[a-z]/.test(part)
}
