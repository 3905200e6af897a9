/** Whatever a cassette holds, for a reader and for CI: no command falls over it, and a terminal acts on none of it. */
import { outlineInteractions } from '../../src/cli/show/outline-interaction.ts'
import { renderCassette } from '../../src/cli/show/render-cassette.ts'
import { printable } from '../../src/errors/printable.ts'
import { scanForSecrets } from '../../src/redaction/scan.ts'
import { refusalsOf } from '../../src/session/check-cassette.ts'
import { compareRuns } from '../../src/trajectory/compare-runs.ts'
import { printComparison } from '../../src/trajectory/comparison.ts'
import { buildTrajectory } from '../../src/trajectory/turn.ts'
import { hold } from '../fuzz-target.ts'
import { fuzzCaps, readCassette } from './read-cassette.ts'

const plain = (text: string): string => text
const paint = { bold: plain, dim: plain, red: plain, green: plain, yellow: plain }

/** Lines for one interaction, at most. */
const mostLines = 40

export function checkShown(input: Uint8Array): void {
  const cassette = readCassette(input)
  if (cassette === undefined) return
  const { interactions } = cassette
  // What refers to a side file has none here; `show` says so before.
  if (
    interactions.some((one) => 'response' in one && one.response?.body !== undefined && 'file' in one.response.body)
  ) {
    return
  }
  const sideFiles = new Map<string, Uint8Array>()
  const outlines = outlineInteractions({ interactions, sideFiles })
  const lines = renderCassette({ cassette, path: 'cassettes/a.json', pending: false, outlines, paint })
  hold(
    lines.length <= 4 + interactions.length * mostLines,
    `${lines.length} lines of ${interactions.length} interactions`,
  )
  for (const line of lines) hold(line === printable(line), `a terminal would act on ${JSON.stringify(line)}`)
  const stored = { cassette, sideFiles }
  for (const { what } of refusalsOf({ stored, caps: fuzzCaps })) hold(what.length > 0, 'a problem without words')
  for (const { place } of scanForSecrets({ ...stored, facts })) hold(place.length > 0, 'a finding without a place')
  const run = { name: 'a', turns: buildTrajectory({ interactions }), interactions }
  const comparison = compareRuns(run, run)
  hold(comparison.identical, `a cassette differs from itself: ${printComparison(comparison)}`)
}

const facts = { secretValues: [{ name: 'SHOP_PASSWORD', value: 'horse-battery-staple' }], userNames: [], hostNames: [] }
