import { type HttpInteraction, isHttpInteraction } from '../../core/cassette/document.ts'
import type { SessionContext } from '../session-context.ts'
import type { HttpCall } from './http-call.ts'

/** What the recording has next in this lane, where that may be served. */
export function nextRecorded(context: SessionContext, { lane }: HttpCall): HttpInteraction | undefined {
  if (context.rules.match !== 'replays' || context.liveLanes.has(lane)) return undefined
  const source = context.source()
  const next = source?.from === 'committed' ? source.queue.positional(lane) : undefined
  const recorded = next === undefined ? undefined : source?.interaction(next)
  return recorded !== undefined && isHttpInteraction(recorded) ? recorded : undefined
}
