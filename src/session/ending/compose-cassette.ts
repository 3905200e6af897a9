import { CASSETTE_FORMAT, type Cassette, type Interaction, type Provenance } from '../../core/cassette/document.ts'
import type { SessionContext } from '../session-context.ts'

/**
 * A cassette of these interactions, F3. The header of the recording that was replayed stays, where anything of it was:
 * its date is the one that tests set their clocks to.
 */
export function composeCassette(context: SessionContext, interactions: readonly Interaction[]): Cassette {
  const { test, host, log } = context
  const replayed = log.count('served') + log.count('rewritten') > 0 ? context.source()?.stored.cassette : undefined
  const rebased: Provenance | undefined =
    log.count('rewritten') > 0 ? { kind: 'derived', reason: 'rebased' } : undefined
  return {
    format: CASSETTE_FORMAT,
    test: test.fullName,
    provenance: rebased ?? replayed?.provenance ?? { kind: 'live' },
    recordedAt: replayed?.recordedAt ?? context.openedAt.toISOString(),
    recordedWith: replayed?.recordedWith ?? sorted({ ...host.versions, ...context.sdks.versions }),
    interactions,
  }
}

function sorted(versions: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(versions).sort(([a], [b]) => (a < b ? -1 : 1)))
}
