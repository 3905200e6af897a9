export type Fact = string
export type RunName = keyof typeof runs
import type { Edit } from './parity-project.ts'
interface Run { title: string; edits: readonly Edit[]; args?: readonly string[]; file?: string; env?: Record<string,string> }
const all: readonly Edit[] = ['EDITED', 'GONE', 'FAILS', 'ONLY', 'BROKEN']
export const runs: Record<string, Run> = {
  local: { title: '', edits: all },
  ci: { title: '', edits: all, env: { CI: '1' } },
  update: { title: '', edits: ['EDITED', 'GONE'], args: ['-u'] },
  updateFailing: { title: '', edits: ['EDITED', 'GONE', 'FAILS'], args: ['-u'] },
  ciUpdate: { title: '', edits: ['EDITED', 'GONE'], args: ['-u'], env: { CI: '1' } },
  name: { title: '', edits: ['GONE'], args: ['-t', 'unchanged'] },
  nameUpdate: { title: '', edits: ['EDITED', 'GONE'], args: ['-u', '-t', 'unchanged'] },
  file: { title: '', edits: ['GONE'], file: 'test/edits.test.js' },
  fileUpdate: { title: '', edits: ['EDITED', 'GONE'], args: ['-u'], file: 'test/edits.test.js' },
  ciGone: { title: '', edits: ['GONE'], env: { CI: '1' } },
  ciGoneWarn: { title: '', edits: ['GONE'], env: { CI: '1', OBSOLETE: 'warn' } },
}
