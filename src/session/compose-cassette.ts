import { CASSETTE_FORMAT, type Cassette, type Interaction, type Provenance } from '../core/cassette/document.ts'
import type { SessionContext } from './session-context.ts'

/** A cassette of these interactions under today's header: F3. */
export function composeCassette(context: SessionContext, interactions: readonly Interaction[]): Cassette {
  const { test, host } = context
  const rebased = context.log.count('rewritten') > 0
  const provenance: Provenance = rebased ? { kind: 'derived', reason: 'rebased' } : { kind: 'live' }
  return {
    format: CASSETTE_FORMAT,
    test: test.fullName,
    provenance,
    recordedAt: host.date().toISOString(),
    recordedWith: sorted({ ...host.versions, ...context.sdkVersions }),
    interactions,
  }
}

function sorted(versions: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(versions).sort(([a], [b]) => (a < b ? -1 : 1)))
}
