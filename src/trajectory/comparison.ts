/** How two runs compare, as plain data; and in print. */
import { counted } from '../errors/messages/compose-message.ts'
import { printable } from '../errors/printable.ts'

export type Comparison =
  | { readonly identical: true; readonly left: ComparedRun; readonly right: ComparedRun }
  | {
      readonly identical: false
      readonly left: ComparedRun
      readonly right: ComparedRun
      readonly difference: Difference
    }

export interface ComparedRun {
  /** Its path, or another name for the reader. */
  readonly name: string
  readonly turns: number
  readonly interactions: number
}

/** The first difference: of the earliest step of the left run that has one (of the right, where the left has ended). */
export interface Difference {
  /**
   * `kind`: another sort of step; `request`: it asked for something else; `attempts`: it failed in another way before;
   * `answer`: the same was answered otherwise; `left ended`, `right ended`: only the other run has this step.
   */
  readonly reason: 'kind' | 'request' | 'attempts' | 'answer' | 'left ended' | 'right ended'
  /** Absent: that run has no such step. */
  readonly left?: Coordinates
  readonly right?: Coordinates
  /** The first places within the step, at most 8; none for a step that only one run has. */
  readonly changes: readonly ComparedChange[]
  /** How many there are. */
  readonly total: number
}

export interface Coordinates {
  /** The interaction's number. */
  readonly interaction: number
  readonly turn?: number
  readonly lane?: string
  /** `POST https://api.openai.com/v1/responses (gpt-5)`, `tool search`. */
  readonly call: string
}

export interface ComparedChange {
  readonly change: 'changed' | 'added' | 'removed'
  /** `messages[2].content`, `blocks[0].text`. */
  readonly path: string
  /** What the place lies in: `user message`. */
  readonly about?: string
  /** Elided around what changed; absent: not there. */
  readonly left?: string
  readonly right?: string
}

/** The comparison in words, without a final line feed. */
export function printComparison(comparison: Comparison): string {
  const { left, right } = comparison
  if (comparison.identical) return `${left.name} and ${right.name} say the same in ${counted(left.turns, 'turn')}`
  const { difference } = comparison
  const { changes, total } = difference
  return [
    printable(`${headline(difference)}${changes.length === 0 ? '' : `: ${changes[0]?.path} ${changes[0]?.change}`}`),
    printable(`left   ${left.name}  ${place(difference.left, left)}`),
    printable(`right  ${right.name}  ${place(difference.right, right)}`),
    ...changes.flatMap(changeLines),
    ...(total > changes.length ? [`and ${counted(total - changes.length, 'more change')}`] : []),
  ].join('\n')
}

function headline({ reason, left, right }: Difference): string {
  const where = left ?? right
  const step = where?.turn === undefined ? `Interaction ${where?.interaction}` : `Turn ${where.turn}`
  switch (reason) {
    case 'kind':
      return `${step} is another step`
    case 'request':
      return `${step} asks for something else`
    case 'attempts':
      return `${step} failed otherwise before it was answered`
    case 'answer':
      return `${step} is asked the same and answered otherwise`
    case 'left ended':
      return `${step} of the right has no counterpart`
    case 'right ended':
      return `${step} of the left has no counterpart`
  }
}

function place(found: Coordinates | undefined, { turns }: ComparedRun): string {
  if (found === undefined) return `ends after ${counted(turns, 'turn')}`
  const { interaction, turn, lane, call } = found
  const parts = [...(turn === undefined ? [] : [`turn ${turn}`]), ...(lane === undefined ? [] : [`lane ${lane}`])]
  return [`interaction ${interaction}`, ...parts, call].join(', ')
}

function changeLines({ path, about, left, right }: ComparedChange): readonly string[] {
  const side = (sign: string, text: string | undefined): readonly string[] =>
    text === undefined ? [] : text.split('\n').map((line) => printable(`    ${sign} ${line}`))
  return [printable(`  ${path}${about === undefined ? '' : ` (${about})`}`), ...side('-', left), ...side('+', right)]
}
