/**
 * The form that every message has: a headline, facts, free lines, sentences, then what to do.
 * Owns widths, wrapping and the bound on lines; knows nothing of any code. Messages never hold colours.
 */
import type { Remedy } from '../divergence-details.ts'
import { elide, elideMiddle } from '../elide.ts'

export const maxMessageLines = 24

const columns = 100

/** A command is printed whole, it has to work; this only bounds what is no command at all. */
const maxCommandLength = 600

export interface MessageParts {
  /** Short and stable: it becomes `shortMessage`. Names the test or the file. */
  readonly headline: string
  /** Label and value; a fact whose value is undefined is left out. */
  readonly facts?: readonly (readonly [label: string, value: string | undefined])[]
  /** Lines printed as they are. */
  readonly lines?: readonly string[]
  /** Sentences, each wrapped to the width. */
  readonly paragraphs?: readonly string[]
  readonly remedies?: readonly Remedy[]
}

/** At most `maxMessageLines` lines; where there are more, the free lines give way and say so. */
export function composeMessage(parts: MessageParts): string {
  const top = [elide(parts.headline, 160), ...factLines(parts.facts ?? [])]
  const paragraphs = blockOf((parts.paragraphs ?? []).flatMap(wrapped))
  const bottom = remedyLines(parts.remedies ?? [])
  const room = maxMessageLines - top.length - paragraphs.length - bottom.length
  const lines = [...top, ...fitted(blockOf(parts.lines ?? []), room), ...paragraphs, ...bottom]
  return lines.slice(0, maxMessageLines).join('\n')
}

/** How many lines the facts, paragraphs and remedies leave for free lines, their blank line counted off. */
export function freeLines(parts: MessageParts): number {
  return maxMessageLines - composeMessage({ ...parts, lines: [] }).split('\n').length - 1
}

/** A test's, a lane's or a tool's name within a sentence: quoted, bounded. */
export function quoted(name: string, limit = 80): string {
  return `"${elideMiddle(name, limit)}"`
}

/** `1 call`, `2 calls`, `2,000 calls`. */
export function counted(count: number, noun: string): string {
  return `${grouped(count)} ${noun}${count === 1 ? '' : 's'}`
}

/** Digits in groups of three, whatever the locale. */
export function grouped(count: number): string {
  return String(count).replace(/\B(?=(?:\d{3})+$)/g, ',')
}

function factLines(facts: NonNullable<MessageParts['facts']>): string[] {
  const width = Math.max(...facts.map(([label]) => label.length), 10) + 2
  return blockOf(
    facts.flatMap(([label, value]) =>
      value === undefined || value === '' ? [] : [`${label.padEnd(width)}${elideMiddle(value, 220)}`],
    ),
  )
}

/** Every command behind its reason or, as soon as one does not fit there, every one on a line of its own. */
function remedyLines(remedies: readonly Remedy[]): string[] {
  const shown = remedies.map(({ why, command }) => [`${elide(why, 120)}:`, elide(command, maxCommandLength)] as const)
  const fits = shown.every(([reason, command]) => reason.length + 2 + command.length <= columns)
  return blockOf(shown.flatMap(([reason, command]) => (fits ? [`${reason}  ${command}`] : [reason, `  ${command}`])))
}

function wrapped(paragraph: string): string[] {
  const lines: string[] = []
  let line = ''
  for (const word of elide(paragraph, 600).split(' ')) {
    if (line !== '' && line.length + 1 + word.length > columns) {
      lines.push(line)
      line = word
    } else line = line === '' ? word : `${line} ${word}`
  }
  return [...lines, line]
}

function fitted(lines: readonly string[], room: number): readonly string[] {
  if (lines.length <= room) return lines
  if (room < 3) return []
  const kept = lines.slice(0, room - 1)
  return [...kept, `… and ${lines.length - kept.length} more`]
}

function blockOf(lines: readonly string[]): string[] {
  return lines.length === 0 ? [] : ['', ...lines]
}
