import { afterAll, beforeAll, test } from 'vitest'
import { appendFileSync } from 'node:fs'
import { startModel } from '../life/model.ts'
import { runners } from '../runners/report-project.ts'
import { observeAll } from './observe.ts'
let obs: any
const which = process.env.WHICH as 'Vitest'
beforeAll(async () => { obs = await observeAll(runners[which], await startModel()) }, 300000)
const names: any = {
 edits: ['unchanged','new','changed','one more','one fewer','none any more','reordered','fails','fails early','changed and fails','new and fails','deleted','old name','new name','skipped','equal names','concurrent','concurrent and new','beside it'],
 retried: ['changed at first','fails at first','new, fails at first'], only: ['chosen','beside it','deleted beside it'], broken: ['in a broken file'], removed: ['in a deleted file'], 'old-place': ['moved'], 'new-place': ['moved'] }
test('x', () => {
  const out = `/tmp/parity-${which}.txt`
  for (const [run, o] of obs) {
    appendFileSync(out, `=== ${run}\n${o.output}\n`)
    const row = (n: string, f: string, s: any, c: any) => appendFileSync(`/tmp/parity-${which}.tsv`, `${run}|${f}|${n}|${s.join(', ')}|${c.join(', ')}\n`)
    for (const [f, list] of Object.entries(names) as any) for (const n of list) row(n, f, o.snapshot(n + ' (snapshot)', f), o.cassette(n + ' (cassette)', { file: f, says: n.includes('name') && f==='edits' && n!=='equal names' ? 'renamed' : n }))
    for (const n of ['both, unchanged','both, changed','both, new','both, another answer']) row(n, 'edits', o.snapshot(n,'edits'), o.cassette(n,{file:'edits', says: n.replace(',', '')}))
  }
})
