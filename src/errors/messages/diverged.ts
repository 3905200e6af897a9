import type { Change, DivergenceDetails, Hint, NearestInteraction } from '../divergence-details.ts'
import { elide, elideMiddle, takeStart } from '../elide.ts'
import { composeMessage, counted, freeLines, type MessageParts, quoted } from './compose-message.ts'

/** Widest value line, its mark and indentation included. */
const maxValueWidth = 158

const maxHints = 3

const shownHashDigits = 8

/** TURNTAPE_DIVERGED, _OUT_OF_ORDER, _WRONG_KIND, _EXHAUSTED: what left the cassette, where it lies, what changed, what it may be, what to do. */
export function divergedMessage(details: DivergenceDetails): string {
  const parts: MessageParts = {
    headline: headlineOf(details),
    facts: [
      ['test', elideMiddle(details.test, 160)],
      ['cassette', details.cassette],
      ['request', requestFact(details)],
      ['nearest', nearestFact(details)],
    ],
    paragraphs: hintSentences(details.hints).slice(0, maxHints),
    remedies: details.remedies.slice(0, 3),
  }
  return composeMessage({ ...parts, lines: changeLines(details, freeLines(parts)) })
}

function headlineOf(details: DivergenceDetails): string {
  switch (details.kind) {
    case 'changed':
      return changedHeadline(details)
    case 'reordered': {
      const { expected, nearest } = details
      const asked = nearest === undefined ? 'A later call' : capitalised(placeOf(nearest))
      return `${asked} was asked for before ${expected === undefined ? 'its turn' : placeOf(expected)}`
    }
    case 'exhausted':
      return exhaustedHeadline(details)
    case 'wrong kind':
      return wrongKindHeadline(details)
  }
}

/** AR-22: each pair of kinds has its own words. */
function wrongKindHeadline(details: DivergenceDetails): string {
  const subject = subjectOf(details)
  const { expected, steps } = details
  const at = expected === undefined ? 'here' : `at ${placeOf(expected)}`
  if (steps === undefined) return `${subject} is another kind of call than recorded`
  const request = elide(steps.recorded.request, 60)
  if (steps.made.kind === 'fold') {
    if (steps.recorded.kind === 'turn') return `The conversation was compacted where the recording has a turn, ${at}`
    if (steps.recorded.kind === 'failed call')
      return `The conversation was compacted where a model call failed in the recording, ${at}`
    return `The conversation was compacted where the recording has ${request}, ${at}`
  }
  switch (steps.recorded.kind) {
    case 'fold':
      return `${subject} was made where the recording compacts the conversation, ${at}`
    case 'turn':
    case 'failed call':
      return `${subject} was made where the recording has a model call, ${at}`
    case 'http':
    case 'tool':
    case 'call':
      return `${subject} was made where the recording has ${request}, ${at}`
  }
}

function exhaustedHeadline(details: DivergenceDetails): string {
  const { hints, lane, recordedTurns, request, turn, upTo } = details
  const subject = subjectOf(details)
  if (upTo !== undefined) return `${subject} was made after turn ${upTo}, up to which this test replays`
  if (isEqualElsewhere(details)) return elsewhereHeadline(details)
  if (hints.some((hint) => hint.kind === 'lanes'))
    return `${subject} was made in ${laneName(lane)}, which was not recorded`
  const repeated = repeatedTurn(details)
  if (repeated !== undefined) return `One call more than recorded: turn ${repeated} was sent again`
  const where = lane === undefined ? '' : ` in lane ${quoted(lane, 30)}`
  if (turn === undefined) return `One call more than recorded${where}: ${elide(request, 60)}`
  return `One call more than recorded${where}: the cassette has ${counted(recordedTurns, 'turn')}`
}

function subjectOf({ turn, request }: DivergenceDetails): string {
  return turn === undefined ? capitalised(elide(request, 80)) : `Turn ${turn}`
}

function isEqualElsewhere({ nearest, requestHash }: DivergenceDetails): boolean {
  return nearest?.state === 'other lane' && nearest.hash === requestHash
}

function elsewhereHeadline(details: DivergenceDetails): string {
  return `${subjectOf(details)} was made in ${laneName(details.lane)}, but recorded in ${laneName(details.nearest?.lane)}`
}

function changedHeadline(details: DivergenceDetails): string {
  const { nearest } = details
  const subject = subjectOf(details)
  const repeated = repeatedTurn(details)
  if (repeated !== undefined) return `${subject} repeats turn ${repeated}: the same request was sent again`
  if (nearest === undefined) return `${subject} is not as recorded: the cassette holds no call like it`
  if (isEqualElsewhere(details)) return elsewhereHeadline(details)
  if (nearest.hash === details.requestHash && nearest.state === 'played') {
    return `${subject} was made once more than recorded`
  }
  const [first] = details.changes
  if (first === undefined) return `${subject} is not as recorded`
  const more = details.changesTotal - 1
  return `${subject} is not as recorded: ${elideMiddle(first.path, 70)} ${first.change}${more > 0 ? `, and ${more} more` : ''}`
}

function requestFact(details: DivergenceDetails): string {
  const turn = details.turn === undefined ? '' : `, turn ${details.turn}${ofTurns(details.turn, details.recordedTurns)}`
  const lane = details.lane === undefined ? '' : `, lane ${quoted(details.lane, 30)}`
  return `${elideMiddle(details.request, 140)}${turn}${lane}`
}

function ofTurns(turn: number, recordedTurns: number): string {
  return turn <= recordedTurns ? ` of ${recordedTurns}` : ` (${recordedTurns} recorded)`
}

function nearestFact(details: DivergenceDetails): string {
  const { nearest, requestHash } = details
  if (nearest === undefined) return `none; sent ${shortHash(requestHash)}`
  const turn = nearest.turn === undefined ? '' : `turn ${nearest.turn}, `
  const hashes =
    nearest.hash === requestHash
      ? `equal, ${shortHash(requestHash)}`
      : `recorded ${shortHash(nearest.hash)}, sent ${shortHash(requestHash)}`
  return `interaction ${nearest.number} (${turn}${stateWords(nearest)}); ${hashes}`
}

function stateWords(nearest: NearestInteraction): string {
  switch (nearest.state) {
    case 'next':
      return 'the one expected here'
    case 'played':
      return 'already played'
    case 'later':
      return 'not played yet'
    case 'other lane':
      return `in ${laneName(nearest.lane)}`
  }
}

function changeLines(details: DivergenceDetails, room: number): string[] {
  if (details.changes.length === 0) return []
  const against = details.kind === 'changed' ? 'changed' : `against interaction ${details.nearest?.number ?? '?'}`
  const lines = [`${against} (- recorded, + this run)`]
  let shown = 0
  for (const change of details.changes) {
    const isLast = shown === details.changesTotal - 1
    const left = room - lines.length - (isLast ? 0 : 1)
    const block = shown === 0 ? changeBlock(change, Math.max(left, 3)) : changeBlock(change, 7)
    if (block.length > left && shown > 0) break
    lines.push(...block)
    shown += 1
  }
  const more = details.changesTotal - shown
  return more > 0 ? [...lines, `… and ${counted(more, 'more change')}`] : lines
}

/** The path, then the values; each side gets an equal share of the lines there are. */
function changeBlock(change: Change, room: number): string[] {
  const where = [elideMiddle(change.path, 110)]
  if (change.line !== undefined) where.push(`, line ${change.line}`)
  if (change.change !== 'changed') where.push(` ${change.change}`)
  if (change.about !== undefined) where.push(` (${elide(change.about, 60)})`)
  const share = Math.max(1, Math.floor((room - 1) / 2))
  return [
    `${change.layer.padEnd(12)}${where.join('')}`,
    ...valueLines('-', change.recorded, share),
    ...valueLines('+', change.present, share),
  ]
}

function valueLines(mark: '-' | '+', value: string | undefined, room: number): string[] {
  if (value === undefined || value === '') return []
  const all = value.slice(0, 4000).split('\n')
  const shown = all.slice(0, all.length > room ? Math.max(1, room - 1) : room)
  const rest = all.length - shown.length
  const lines = shown.map((line) => `  ${mark} ${elide(line, maxValueWidth - 4)}`)
  return rest > 0 && room > 1 ? [...lines, `  ${mark} … ${counted(rest, 'more line')}`] : lines
}

function hintSentences(hints: readonly Hint[]): string[] {
  const volatile = hints.flatMap((hint) => (hint.kind === 'volatile' ? [hint.what] : []))
  const sentences = hints.flatMap((hint) => {
    switch (hint.kind) {
      case 'volatile':
        return []
      case 'repeats':
        return ['Each recorded answer is served once, and this request was answered before.']
      case 'skips':
        return [skipSentence(hint)]
      case 'output limit':
        return ['Only the limit of the output differs; nothing else changed.']
      case 'fold again':
        return [`This is the request of the fold at turn ${hint.turn}, sent again.`]
      case 'versions':
        return [
          `Recorded under ${takeStart(hint.name, 60)} ${elide(hint.recorded, 60)}, running ${elide(hint.present, 60)}.`,
        ]
      case 'lanes':
        return [laneSentence(hint.present, hint.recorded)]
    }
  })
  return volatile.length > 0 ? [`Only ${joined(volatile)} differ; nothing else changed.`, ...sentences] : sentences
}

function skipSentence({ folds = [], skipped, turn }: Extract<Hint, { readonly kind: 'skips' }>): string {
  const named = skipped.slice(0, 6).map((one) => `${one}${folds.includes(one) ? ' (a fold)' : ''}`)
  const turns = skipped.length === 1 ? `Turn ${named[0]} was` : `Turns ${joined(named)} were`
  return `This request equals turn ${turn}. ${turns} skipped, or the two calls changed places.`
}

function laneSentence(present: string | undefined, recorded: readonly string[]): string {
  const names = recorded.slice(0, 6).map((lane) => quoted(lane, 40))
  const has = names.length === 0 ? 'its calls were made outside of tape.lane()' : `its lanes are ${joined(names)}`
  return `The cassette holds no call in ${laneName(present)}; ${has}.`
}

function repeatedTurn(details: DivergenceDetails): number | undefined {
  return details.hints.flatMap((hint) => (hint.kind === 'repeats' ? [hint.turn] : []))[0]
}

function placeOf(place: { readonly number: number; readonly turn: number | undefined }): string {
  return place.turn === undefined ? `interaction ${place.number}` : `turn ${place.turn}`
}

function laneName(lane: string | undefined): string {
  return lane === undefined ? 'the unnamed lane' : `lane ${quoted(lane, 40)}`
}

function shortHash(hash: string): string {
  return elide(hash.slice(0, shownHashDigits), shownHashDigits)
}

function joined(words: readonly string[]): string {
  return words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} and ${words.at(-1) as string}`
}

function capitalised(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}
