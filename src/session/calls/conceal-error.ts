import type { ReplayError } from '../../errors/replay-error.ts'
import { createConcealer } from '../../redaction/concealer.ts'
import type { ScanFacts } from '../../redaction/scan-facts.ts'

/** Takes the secrets of this machine out of an error, in its place: agents, runners and logs all hold the same object. */
export function concealError(error: ReplayError, facts: ScanFacts): void {
  const { text, deep } = createConcealer(facts)
  const message = text(error.message)
  const details = deep(error.details)
  if (message === error.message && details === error.details) return
  Object.assign(error, {
    message,
    details,
    shortMessage: text(error.shortMessage),
    stack: text(error.stack ?? ''),
    ...(error.actual === undefined ? {} : { actual: text(error.actual) }),
    ...(error.expected === undefined ? {} : { expected: text(error.expected) }),
  })
}
