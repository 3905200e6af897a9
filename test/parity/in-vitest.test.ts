/** The parity table under Vitest. */
import { runners } from '../runners/report-project.ts'
import { checkTable } from './check-table.ts'

checkTable(runners.Vitest)
