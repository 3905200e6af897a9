import type { Json } from '../core/cassette/document.ts'
import { elide } from '../errors/elide.ts'
import { printable, printableAscii } from '../errors/printable.ts'
import { changedInline, changedWords } from './changed-words.ts'
import { compactJson } from './compact-json.ts'
import type { JsonChange } from './json-changes.ts'

export interface ChangeText {
  readonly recorded: string | undefined
  readonly present: string | undefined
  readonly line: number | undefined
}

/** Longest value line, its quotes included. */
const maxLineLength = 150

/** A value that is no text is written out so far, to find where it differs. */
const maxComparedLength = 20_000

/** Both values of a change as a reader needs them: texts quoted and elided around what changed, others as JSON. */
export function changeText({ recorded, present }: JsonChange): ChangeText {
  if (typeof recorded === 'string' && typeof present === 'string') {
    const words = changedWords(recorded, present)
    const quote = quoteFor(words.recorded.join('\n'), words.present.join('\n'))
    return {
      recorded: words.recorded.map(quote).join('\n'),
      present: words.present.map(quote).join('\n'),
      line: words.line,
    }
  }
  if (recorded === undefined || present === undefined) {
    return { recorded: wholeText(recorded), present: wholeText(present), line: undefined }
  }
  const sides = changedInline(compactJson(recorded, maxComparedLength), compactJson(present, maxComparedLength))
  const show = isLookalike(sides.recorded, sides.present) ? printableAscii : printable
  return {
    recorded: elide(show(sides.recorded), maxLineLength),
    present: elide(show(sides.present), maxLineLength),
    line: undefined,
  }
}

function wholeText(value: Json | undefined): string | undefined {
  if (value === undefined) return undefined
  if (typeof value === 'string') return quoteFor('', value)(value.slice(0, maxLineLength + 1))
  return elide(compactJson(value, maxLineLength + 1), maxLineLength)
}

/** A backslash is doubled, so that an escape in the output always stands for a character that cannot be seen. */
function quoteFor(recorded: string, present: string): (text: string) => string {
  const show = isLookalike(recorded, present) ? printableAscii : printable
  return (text) => `"${elide(show(text.replaceAll('\\', '\\\\')), maxLineLength - 2)}"`
}

/** Two spellings of the same characters look alike in any font. */
function isLookalike(recorded: string, present: string): boolean {
  return recorded !== present && recorded.normalize('NFKC') === present.normalize('NFKC')
}
