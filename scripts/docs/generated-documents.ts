/** Every document, or region of one, that is made from the code. `npm run docs` writes them, `npm run check` compares. */
import { modeTable } from '../../src/core/modes/mode-table.ts'
import { levelTable } from '../../test/architecture/level-table.ts'
import { behaviourPage } from './behaviour-page.ts'
import { ownStreams } from './cassette-sizes.ts'
import { cliPage } from './cli-page.ts'
import { clientTable, neighbourTable } from './client-tables.ts'
import { errorPage } from './error-page.ts'
import { parityPage } from './parity-page.ts'
import { committedSpeedTables } from './speed-tables.ts'
import { strictTable } from './strict-table.ts'

export interface GeneratedDocument {
  /** Relative to the project root. */
  readonly file: string
  /** The part between `<!-- generated:REGION -->` and `<!-- /generated -->`; absent: the whole file. */
  readonly region?: string
  /** Must give the same text for the same code: no date, no path. */
  render(): string
}

export const generatedDocuments: readonly GeneratedDocument[] = [
  { file: 'docs/errors.md', render: errorPage },
  { file: 'docs/cli.md', render: cliPage },
  { file: 'docs/behaviours.md', render: behaviourPage },
  { file: 'docs/snapshot-parity.md', render: parityPage },
  { file: 'docs/cassette-sizes.md', region: 'streams', render: ownStreams },
  { file: 'docs/clients.md', region: 'clients', render: clientTable },
  { file: 'docs/clients.md', region: 'neighbours', render: neighbourTable },
  { file: 'README.md', region: 'modes', render: modeTable },
  { file: 'docs/strict-and-lenient.md', region: 'strict', render: strictTable },
  { file: 'docs/architecture.md', region: 'levels', render: levelTable },
  { file: 'docs/speed.md', region: 'speed', render: committedSpeedTables },
]
