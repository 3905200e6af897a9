/** Two texts, cut down to what a reader has to see: the words that changed, with a little of what stands around them. */
import { createRequire } from 'node:module'
import { ellipsis } from '../errors/elide.ts'

export interface ChangedWords {
  /** Both sides; the lines of a text of several lines one by one, only those that changed. */
  readonly recorded: readonly string[]
  readonly present: readonly string[]
  /** 1-based line of the first change, where either text has several lines. */
  readonly line: number | undefined
}

const load = createRequire(import.meta.url)

/** Loaded at the first failure that has words to compare: it is the dearest of what we depend on, and a green run never asks. */
function diff(): typeof import('diff') {
  return load('diff') as typeof import('diff')
}

/** Texts up to this length are shown whole. */
const wholeLength = 100

/** What is shown before and after the change. */
const contextLength = 40

/** Longer changed stretches are not compared word by word. */
const maxWordDiffLength = 1_500

const maxEdits = 300

const maxLines = 6

const maxComparedLines = 400

/** The changed words of two different texts. The work is linear in their size, whatever it is. */
export function changedWords(recorded: string, present: string): ChangedWords {
  if (!recorded.includes('\n') && !present.includes('\n')) {
    const inline = changedInline(recorded, present)
    return { recorded: [inline.recorded], present: [inline.present], line: undefined }
  }
  return changedLines(recorded, present)
}

interface Sides {
  readonly recorded: string
  readonly present: string
}

/** For two texts of one line: both elided around the change. */
export function changedInline(recorded: string, present: string): Sides {
  if (recorded.length <= wholeLength && present.length <= wholeLength) return { recorded, present }
  const { head, tail } = commonEnds(recorded, present)
  const start = wordStart(recorded, head)
  const rest = recorded.length - tail
  const end = wordEnd(recorded, rest) - rest
  const before = leading(recorded.slice(0, start), contextLength)
  const after = trailing(recorded.slice(rest + end), contextLength)
  const middle = changedMiddle(recorded.slice(start, rest + end), present.slice(start, present.length - tail + end))
  return { recorded: before + middle.recorded + after, present: before + middle.present + after }
}

/** Both stretches with long equal runs inside them elided. */
function changedMiddle(recorded: string, present: string): Sides {
  const isShort = recorded.length <= maxWordDiffLength && present.length <= maxWordDiffLength
  const parts = isShort ? diff().diffWordsWithSpace(recorded, present, { maxEditLength: maxEdits }) : undefined
  if (parts === undefined) return { recorded: shortened(recorded, 90), present: shortened(present, 90) }
  let left = ''
  let right = ''
  for (const { value, added, removed } of parts) {
    if (added) right += shortened(value, 90)
    else if (removed) left += shortened(value, 90)
    else {
      const between =
        value.length <= contextLength
          ? value
          : trailing(value, contextLength / 2) + leading(value, contextLength / 2).slice(1)
      left += between
      right += between
    }
  }
  return { recorded: left, present: right }
}

function changedLines(recorded: string, present: string): ChangedWords {
  const { head, tail } = commonEnds(recorded, present)
  // `lastIndexOf` takes a place before the text for its first character.
  const from = head === 0 ? 0 : recorded.lastIndexOf('\n', head - 1) + 1
  const left = linesBetween(recorded, { from, to: recorded.length - tail })
  const right = linesBetween(present, { from, to: present.length - tail })
  const { removed, added, skipped } = changedOf(left, right)
  const line = lineNumber(present, from) + skipped
  if (removed.length !== added.length) return { recorded: bounded(removed), present: bounded(added), line }
  const pairs = removed.slice(0, maxLines + 1).map((text, index) => changedInline(text, added[index] as string))
  return {
    recorded: bounded(pairs.map((pair) => pair.recorded)),
    present: bounded(pairs.map((pair) => pair.present)),
    line,
  }
}

/** The whole lines that the stretch touches; none where the text ends before it. */
function linesBetween(text: string, { from, to }: { readonly from: number; readonly to: number }): string[] {
  if (from >= text.length && from > 0) return []
  const next = text.indexOf('\n', Math.max(to, from))
  const stretch = text.slice(from, next === -1 ? text.length : next)
  return stretch.split('\n', maxComparedLines)
}

interface LineChanges {
  readonly removed: readonly string[]
  readonly added: readonly string[]
  /** Equal lines before the first change. */
  readonly skipped: number
}

function changedOf(left: readonly string[], right: readonly string[]): LineChanges {
  const parts = diff().diffArrays([...left], [...right], { maxEditLength: maxEdits })
  if (parts === undefined) return { removed: left, added: right, skipped: 0 }
  const first = parts[0]
  const skipped = first !== undefined && !first.added && !first.removed ? first.value.length : 0
  return {
    removed: parts.flatMap((part) => (part.removed ? part.value : [])),
    added: parts.flatMap((part) => (part.added ? part.value : [])),
    skipped,
  }
}

function bounded(lines: readonly string[]): readonly string[] {
  const shown = lines.slice(0, maxLines).map((line) => shortened(line, 2 * wholeLength))
  return lines.length > maxLines ? [...shown, ellipsis] : shown
}

/** Lengths of the common head and tail, which never overlap. */
function commonEnds(left: string, right: string): { readonly head: number; readonly tail: number } {
  const shorter = Math.min(left.length, right.length)
  let head = 0
  while (head < shorter && left.charCodeAt(head) === right.charCodeAt(head)) head += 1
  let tail = 0
  while (tail < shorter - head && left.charCodeAt(left.length - 1 - tail) === right.charCodeAt(right.length - 1 - tail))
    tail += 1
  return { head, tail }
}

/** Back to the start of the word that the change begins in, if it is near. */
function wordStart(text: string, index: number): number {
  const word = /[^\s]*$/.exec(text.slice(Math.max(0, index - 24), index))?.[0] ?? ''
  return characterStart(text, word.length < 24 ? index - word.length : index)
}

/** On to the end of the word that the change ends in, if it is near. */
function wordEnd(text: string, index: number): number {
  const word = /^[^\s]*/.exec(text.slice(index, index + 24))?.[0] ?? ''
  const end = word.length < 24 ? index + word.length : index
  return isInsideCharacter(text, end) ? end + 1 : end
}

/** The end of a text, from the start of a word on. */
function leading(text: string, length: number): string {
  if (text.length <= length) return text
  const cut = characterStart(text, text.length - length)
  const space = text.indexOf(' ', cut)
  return ellipsis + text.slice(space !== -1 && space - cut < 12 ? space + 1 : cut)
}

/** The start of a text, to the end of a word. */
function trailing(text: string, length: number): string {
  if (text.length <= length) return text
  const cut = characterStart(text, length)
  const space = text.lastIndexOf(' ', cut)
  return text.slice(0, space > cut - 12 ? space : cut) + ellipsis
}

function shortened(text: string, limit: number): string {
  if (text.length <= limit) return text
  const half = Math.floor(limit / 2)
  return text.slice(0, characterStart(text, half)) + ellipsis + text.slice(characterStart(text, text.length - half))
}

function characterStart(text: string, index: number): number {
  return isInsideCharacter(text, index) ? index - 1 : index
}

function isInsideCharacter(text: string, index: number): boolean {
  const unit = text.charCodeAt(index)
  const before = text.charCodeAt(index - 1)
  return unit >= 0xdc00 && unit <= 0xdfff && before >= 0xd800 && before <= 0xdbff
}

function lineNumber(text: string, index: number): number {
  let line = 1
  for (let at = text.indexOf('\n'); at !== -1 && at < index; at = text.indexOf('\n', at + 1)) line += 1
  return line
}
