/** The lines that `show` prints. Shortens everything: a turn takes no more than a screen. */
import type { Cassette, Provenance } from '../../core/cassette/document.ts'
import { elide, elideMiddle } from '../../errors/elide.ts'
import { counted } from '../../errors/messages/compose-message.ts'
import { printable } from '../../errors/printable.ts'
import type { Paint } from '../output.ts'
import type { Piece } from './outline.ts'
import type { InteractionOutline } from './outline-interaction.ts'

export interface Shown {
  readonly cassette: Cassette
  /** As the reader writes it. */
  readonly path: string
  readonly pending: boolean
  readonly outlines: readonly InteractionOutline[]
  readonly paint: Paint
}

export function renderCassette(shown: Shown): readonly string[] {
  return [
    ...renderHeader(shown),
    ...shown.outlines.flatMap((outline) => ['', ...renderInteraction(outline, shown.paint)]),
  ]
}

/** At most so many lines of each; a turn's own two come on top. */
const maxRequestLines = 8
const maxPieceLines = 3
const maxTextLines = 6
const maxCalls = 3
const maxNotes = 2
const columns = 100
const labelWidth = 12
const margin = '    '

function renderHeader({ cassette, path, pending, outlines, paint }: Shown): readonly string[] {
  const versions = Object.entries(cassette.recordedWith).map(([name, version]) => `${name} ${version}`)
  const turns = new Set(outlines.flatMap(({ turn }) => (turn === undefined ? [] : [turn]))).size
  const when = cassette.recordedAt.replace('T', ' ').replace(/\.\d+Z$/, ' UTC')
  return [
    paint.bold(elide(cassette.test, 160)),
    `${printable(path)}${pending ? paint.yellow('  pending, not committed') : ''}`,
    elide(`${provenanceText(cassette.provenance)}, recorded ${when} with ${versions.join(', ')}`, 300),
    `${counted(outlines.length, 'interaction')}, ${counted(turns, 'turn')}`,
  ]
}

function provenanceText(provenance: Provenance): string {
  switch (provenance.kind) {
    case 'live':
      return 'live'
    case 'imported':
      return `imported from ${provenance.from}`
    case 'derived':
      return `derived (${provenance.reason})`
  }
}

function renderInteraction(outline: InteractionOutline, paint: Paint): readonly string[] {
  const { number, turn, attempt, lane, kind, isFold, call, model, outcome, timing, hash } = outline
  const head = [
    ...(turn === undefined ? [] : [`turn ${turn}`]),
    ...(attempt === undefined ? [] : [`attempt ${attempt.number} of ${attempt.of}`]),
    ...(lane === undefined ? [] : [`lane ${elideMiddle(lane, 40)}`]),
    isFold ? `${kind}, fold` : kind,
    `${elideMiddle(call, 160)}${model === undefined ? '' : ` (${elide(model, 60)})`}`,
  ]
  const isGood = /^[123]\d\d|^returned/.test(outcome)
  const state = [
    isGood ? paint.green(outcome) : paint.red(elide(outcome, 160)),
    ...timing.map((part) => elide(part, 160)),
  ]
  return [
    `${paint.bold(`#${number}`.padEnd(margin.length - 1))} ${head.join(' | ')}`,
    `${margin}${state.join(', ')} ${paint.dim(`| hash ${hash.slice(0, 8)}`)}`,
    ...renderRequest(outline.request, paint),
    ...renderAnswer(outline, paint),
  ]
}

function renderRequest(pieces: readonly Piece[], paint: Paint): readonly string[] {
  const lines: string[] = []
  for (const [index, piece] of pieces.entries()) {
    const block = labelled(piece, { most: maxPieceLines, paint })
    const isLast = index === pieces.length - 1
    if (lines.length + block.length > (isLast ? maxRequestLines : maxRequestLines - 1)) {
      return [
        ...lines,
        `${margin}${' '.repeat(labelWidth)}${paint.dim(`and ${counted(pieces.length - index, 'more piece')}`)}`,
      ]
    }
    lines.push(...block)
  }
  return lines
}

function renderAnswer({ answer, response }: InteractionOutline, paint: Paint): readonly string[] {
  if (answer === undefined) {
    return response === undefined || response === ''
      ? []
      : labelled({ label: '=> response', text: response }, { most: maxTextLines, paint })
  }
  const { thinking, text, calls, usage, notes = [] } = answer
  return [
    ...(thinking === '' ? [] : labelled({ label: '=> thinking', text: thinking }, { most: 2, paint })),
    ...(text === '' ? [] : labelled({ label: '=> text', text }, { most: maxTextLines, paint })),
    ...calls.slice(0, maxCalls).flatMap(({ name, input }) => {
      return labelled({ label: '=> call', text: `${name} ${input}` }, { most: 1, paint })
    }),
    ...(calls.length > maxCalls
      ? [`${margin}${paint.dim(`and ${counted(calls.length - maxCalls, 'more call')}`)}`]
      : []),
    ...notes.slice(0, maxNotes).flatMap(({ label, text: said }) => {
      return labelled({ label: `=> ${label}`, text: said }, { most: 1, paint })
    }),
    ...(usage === undefined
      ? []
      : labelled({ label: '=> tokens', text: `${usage.input} in, ${usage.output} out` }, { most: 1, paint })),
  ]
}

interface Labelling {
  readonly most: number
  readonly paint: Paint
}

/** The text behind its label, a line for each of its lines; what is too long says how much is missing. */
function labelled({ label, text }: Piece, { most, paint }: Labelling): readonly string[] {
  const all = most === 1 ? [text.trim()] : text.trim().split(/\r\n|\n|\r/)
  const lines = all.length > most ? all.slice(0, most - 1) : all
  const room = columns - margin.length - labelWidth
  const shown = lines.map((line) => (most === 1 ? elideMiddle(line, room) : elide(line, room)))
  if (lines.length < all.length) shown.push(paint.dim(`and ${counted(all.length - lines.length, 'more line')}`))
  const first = `${paint.dim(elide(label, labelWidth - 1).padEnd(labelWidth - 1))} `
  return shown.map((line, index) => `${margin}${index === 0 ? first : ' '.repeat(labelWidth)}${line}`.trimEnd())
}
