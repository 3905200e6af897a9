/** `docs/snapshot-parity.md`: the rows of `test/parity/table.ts`. */
import { facts, type Row, runNames, runs, situations } from '../../test/parity/table.ts'

export function parityPage(): string {
  return `# Snapshots and cassettes, side by side

Generated from \`test/parity/table.ts\`: do not edit. Who knows snapshots knows most of this: a new one is written locally and refused in CI,
\`-u\` renews it, one without a test is obsolete. This page has every situation of both, in the same run of the same project, in Vitest 4.1
and in Jest 30, and why a cassette does otherwise where it does. Each cell is a test (\`test/parity\`), those of cassettes in both
runners, which agree in all of them.

In short: what costs nothing is done as with snapshots. What would cost money is done when it was asked for, and is not lost when
the test fails; and a recording is removed only where the whole run shows that it is not in use.

${Object.entries(facts)
  .flatMap(([name, meaning]) => (name === unseen ? [] : [`- **${name}**: ${meaning}`]))
  .join('\n')}

${runNames.map((name) => section(name)).join('\n\n')}

Shards, watch mode and merged reports: [report](report.md), [runners](runners.md), [CI](ci.md).
`
}

/** A fact that the tests look for and that no cell has. */
const unseen = 'written by a failed attempt'

function section(name: (typeof runNames)[number]): string {
  const { title, rows } = runs[name]
  const head = ['the test', 'its snapshot', 'its cassette', 'why']
  const cells = rows.map((row) => [situations[row.of].says, snapshotCell(row), row.cassette, row.why ?? ''])
  return [`## ${title}`, '', ...[head, head.map(() => '---'), ...cells].map(line)].join('\n')
}

function snapshotCell({ snapshot: { vitest, jest } }: Row): string {
  return vitest === jest ? vitest : `Vitest: ${vitest}<br>Jest: ${jest}`
}

function line(cells: readonly string[]): string {
  return `| ${cells.join(' | ')} |`
}
