/**
 * Every exchange of the corpus, recorded through the plugin with plain fetch and replayed with no server. Bodies above a
 * round's limit are left out to keep the suite quick; TURNTAPE_CORPUS=full raises the limits to what the caps allow.
 */
import { expect, it } from 'vitest'
import { compareRuns } from './compare-runs.ts'
import { hasCorpus, type ServeOptions, startCorpusServers } from './corpus.ts'
import { CorpusProject } from './corpus-project.ts'
import { planCorpus } from './plan.ts'

interface Round {
  readonly title: string
  readonly options: ServeOptions
  /** Larger bodies are left out: in the suite, and with TURNTAPE_CORPUS=full. */
  readonly maxBodyBytes: readonly [suite: number, full: number]
  /** What the live clients must have met at least, or the round shows nothing. */
  readonly met: { readonly chunks?: number; readonly failures?: number }
}

const whole = Number.POSITIVE_INFINITY
const rounds: readonly Round[] = [
  { title: 'event by event', options: {}, maxBodyBytes: [whole, whole], met: { chunks: 300 } },
  { title: 'cut every 7 bytes', options: { split: 7 }, maxBodyBytes: [8_192, 400_000], met: { chunks: 600 } },
  { title: 'cut at every byte', options: { split: 1 }, maxBodyBytes: [2_048, 65_536], met: { chunks: 800 } },
  { title: 'compressed', options: { gzip: true }, maxBodyBytes: [16_384, whole], met: { chunks: 500 } },
  {
    title: 'compressed and cut every 7 bytes',
    options: { gzip: true, split: 7 },
    maxBodyBytes: [4_096, 400_000],
    met: { chunks: 5000 },
  },
  {
    title: 'with the connection lost after 150 bytes',
    options: { cutAfter: 150 },
    maxBodyBytes: [whole, whole],
    met: { failures: 250 },
  },
]
const full = process.env.TURNTAPE_CORPUS === 'full'

it.skipIf(!hasCorpus).for(rounds)(
  'F7 F8 F10 F16 replays every corpus exchange as the client saw it: $title (skipped where there is no corpus)',
  { timeout: full ? 1_200_000 : 180_000 },
  async ({ options, maxBodyBytes, met }) => {
    const plan = await planCorpus(maxBodyBytes[full ? 1 : 0])
    const servers = await startCorpusServers(plan.files.map(({ file }) => ({ files: [file], options })))
    const project = new CorpusProject(plan.files, servers.urls)
    const recorded = await project.run('recorded')
    await servers.stop()
    const replayed = await project.run('replayed', { CI: 'true' })
    expect(recorded.output).toContain(`Cassettes  ${plan.files.length} written`)
    expect(replayed.output).toContain(`Cassettes  ${plan.files.length} replayed`)
    const exchanges = [...recorded.seen.values()].flat()
    const chunks = exchanges.reduce((sum, { chunks = [] }) => sum + chunks.length, 0)
    const failures = exchanges.filter(({ failed }) => failed !== undefined).length
    expect(chunks).toBeGreaterThan(met.chunks ?? 0)
    expect(failures).toBeGreaterThanOrEqual(met.failures ?? 0)
    expect(compareRuns(plan.files, recorded.seen, replayed.seen)).toEqual([])
  },
)
