/** The parity table under Jest. */
import { runners } from '../runners/report-project.ts'
import { checkTable } from './check-table.ts'

checkTable(runners.Jest)
