import { modeRules, type RecordMode, recordModes } from './record-mode.ts'

const notes: Readonly<Record<RecordMode, string>> = {
  auto: 'default outside CI',
  replay: 'default in CI',
  update: "the runner's `-u`, watch `u`",
  record: 'only by the flag or the CLI',
  rebase: 'only by the flag or the CLI; needs no key',
  live: 'only by the flag or an option',
}

/** The record modes as a Markdown table, one row a mode, ending without a line feed. The README holds it verbatim. */
export function modeTable(): string {
  const head = ['mode', 'no cassette', 'request matches', 'request does not match', 'unused at the end', 'writes']
  const rows = recordModes.map((mode) => {
    const { noCassette, match, mismatch, unused, writes } = modeRules[mode]
    return [`\`${mode}\` (${notes[mode]})`, noCassette, match, mismatchWords[mismatch], unused, writes]
  })
  return [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n')
}

const mismatchWords = {
  fails: 'fails',
  'goes live': 'calls live and records, from there on in its lane',
  'records anew': 'records anew',
  rewrites: 'serves the recorded answer by position, and rewrites the stored request',
  network: 'network',
} as const
