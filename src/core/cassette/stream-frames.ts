/** Where the events of a stream begin and end (F8, F9): the very text cut into frames, which joined are the text again. */
import type { EventFrame } from './document.ts'

export type Framing = EventFrame['framing']

/** How this stream writes what other streams write otherwise. A hint: an event in another form stays verbatim. */
export function detectFrame(text: string, framing: Framing): EventFrame {
  if (framing === 'json-array') {
    const between = arrayElements(text)[1]?.before
    return { framing, between: between ?? ',' }
  }
  const lineEnd = /\r\n|\n|\r/.exec(text)?.[0]
  const unblanked = framing === 'sse' && /^(?:\ufeff)?(?:event|data|id):(?! )/.test(firstField(text))
  return {
    framing,
    ...((lineEnd === '\r\n' || lineEnd === '\r') && { lineEnd }),
    ...(unblanked && { fieldBlank: '' as const }),
    ...(framing === 'sse' && isDataFirst(text) && { fieldOrder: 'data first' as const }),
  }
}

export function splitFrames(text: string, framing: Framing): readonly string[] {
  switch (framing) {
    case 'sse':
      return splitAfter(text, emptyLine)
    case 'ndjson':
      return text.match(/[^\n]*\n|[^\n]+$/g) ?? []
    case 'json-array':
      return splitElements(text)
  }
}

// The end of an event: an empty line, whatever the line ends. A lone carriage return ends a line as well.
const emptyLine = /(?:\r\n|\n|\r(?!\n))(?:\r\n|\n|\r(?!\n))/g

function splitAfter(text: string, end: RegExp): readonly string[] {
  const frames: string[] = []
  let start = 0
  for (const match of text.matchAll(end)) {
    const after = match.index + match[0].length
    frames.push(text.slice(start, after))
    start = after
  }
  if (start < text.length) frames.push(text.slice(start))
  return frames
}

function firstField(text: string): string {
  return /^(?:event|data|id):.?/m.exec(text)?.[0] ?? ''
}

function isDataFirst(text: string): boolean {
  return /^data:[^\r\n]*(?:\r\n|\n|\r)(?:event|id):/.test(text)
}

function splitElements(text: string): readonly string[] {
  const frames = arrayElements(text).map(({ before, element }) => before + element)
  const rest = text.slice(frames.reduce((length, frame) => length + frame.length, 0))
  return rest === '' ? frames : [...frames, rest]
}

interface ArrayElement {
  /** The opening bracket or the separator, with the white space round it. */
  readonly before: string
  readonly element: string
}

/** The whole objects that an array begins with. */
function arrayElements(text: string): readonly ArrayElement[] {
  const elements: ArrayElement[] = []
  const separator = /\s*[[,]\s*(?=\{)/y
  for (let start = 0; ; ) {
    separator.lastIndex = start
    const before = separator.exec(text)?.[0]
    if (before === undefined || before.includes('[') !== (start === 0)) return elements
    const end = objectEnd(text, start + before.length)
    if (end === undefined) return elements
    elements.push({ before, element: text.slice(start + before.length, end) })
    start = end
  }
}

/** Just after the bracket that closes the object at `start`; undefined where it is not closed. */
function objectEnd(text: string, start: number): number | undefined {
  // A string without an end is one token, too: looking for its end again from each quote in it would never be done.
  const token = /"[^"\\]*(?:\\[\s\S][^"\\]*)*"?|[{}]/g
  token.lastIndex = start
  let depth = 0
  for (let match = token.exec(text); match !== null; match = token.exec(text)) {
    if (match[0] === '{') depth += 1
    else if (match[0] === '}') depth -= 1
    if (depth === 0) return token.lastIndex
  }
  return undefined
}
