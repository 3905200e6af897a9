/** The table of `docs/strict-and-lenient.md`: what strict replay refuses, under which code, and what allows it. */
import type { ErrorCode } from '../../src/errors/codes.ts'
import type { Allowances } from '../../src/session/tape-options.ts'

interface StrictRow {
  readonly code: ErrorCode
  readonly meaning: string
  readonly allowedBy: string
  readonly lenient: string
  /** What the report says where it was allowed, with the option in brackets. */
  readonly report?: string
}

const allowing = (name: keyof Allowances): string => `\`allow: { ${name}: true }\``

const inPlace = 'served in its place'

const rows: readonly StrictRow[] = [
  {
    code: 'TURNTAPE_DIVERGED',
    meaning: 'a call equals none that may come now',
    allowedBy: `a normaliser; for a GET that is polled ${allowing('repeatedGets')}`,
    lenient: inPlace,
    report: '`2 calls served again (allow.repeatedGets)`',
  },
  {
    code: 'TURNTAPE_OUT_OF_ORDER',
    meaning: 'it equals a later one of its lane',
    allowedBy: "`tape.lane(key, fn)`, `order: 'any'`",
    lenient: inPlace,
  },
  {
    code: 'TURNTAPE_WRONG_KIND',
    meaning:
      'the recording has another kind of step here: a turn where it compacts the conversation, a tool where it has a `call`',
    allowedBy: '–',
    lenient: 'refused; a model call passes over tools that were not asked for',
  },
  {
    code: 'TURNTAPE_EXHAUSTED',
    meaning: 'a call more than the lane has, or than `upTo` lets through',
    allowedBy: '–',
    lenient: 'refused',
  },
  {
    code: 'TURNTAPE_UNUSED',
    meaning: 'recorded, and not asked for by a test that passed',
    allowedBy: allowing('unused'),
    lenient: 'allowed',
    report: '`1 call not asked for (allow.unused): turn 2`',
  },
  {
    code: 'TURNTAPE_UNVERIFIABLE',
    meaning: 'what was sent is not all on the cassette, so that nothing can be compared; refused when opened',
    allowedBy: allowing('unhashed'),
    lenient: inPlace,
    report: '`1 call not checked, nothing to compare with (allow.unhashed): turn 2`',
  },
  {
    code: 'TURNTAPE_SUBSTITUTED',
    meaning: 'the recording itself goes on in another workspace; refused when opened',
    allowedBy: allowing('substitution'),
    lenient: 'allowed',
    report: '`the workspace changes (allow.substitution): turn 3`',
  },
  {
    code: 'TURNTAPE_INCOMPLETE',
    meaning: 'the recording stops inside a call; refused when opened',
    allowedBy: allowing('incomplete'),
    lenient: 'allowed',
    report: '`1 call not complete (allow.incomplete): turn 4`',
  },
  {
    code: 'TURNTAPE_READ_PAST_RECORDING',
    meaning: 'a body or an iterable is read further than its recorded caller read',
    allowedBy: allowing('incomplete'),
    lenient: 'allowed; a body stays open, an iterable ends',
    report: '`1 call read past the recording (allow.incomplete): turn 4`',
  },
  {
    code: 'TURNTAPE_CALL_ID_REPEATED',
    meaning: 'nothing tells two tool results apart; refused when recorded and when opened',
    allowedBy: '`tape.lane(key, fn)`, before it is recorded',
    lenient: 'served in the order recorded',
  },
  {
    code: 'TURNTAPE_UNKNOWN_POINT',
    meaning: '`from` or `upTo` names a turn that is not there',
    allowedBy: '–',
    lenient: 'refused',
  },
  {
    code: 'TURNTAPE_LIVE_IN_REPLAY',
    meaning: 'a tool that ran for real wanted to reach the outside',
    allowedBy: '`passthrough`',
    lenient: 'refused',
  },
]

export function strictTable(): string {
  const head = ['error', 'what it means', 'what allows it', 'with `strict: false`', 'what the report then says']
  const cells = rows.map(({ code, meaning, allowedBy, lenient, report = '' }) => {
    return [`[\`${code}\`](errors.md#${code.toLowerCase()})`, meaning, allowedBy, lenient, report]
  })
  return [head, head.map(() => '---'), ...cells].map((row) => `| ${row.join(' | ')} |`).join('\n')
}
