import type { Verdict } from './router.ts'

/** The caller aborted while his call was being decided: who decided learns it, as he would of a call under way. */
export function abandonVerdict(verdict: Verdict, reason: unknown): void {
  switch (verdict.kind) {
    case 'observe':
      verdict.observer.cancel(reason)
      return
    case 'respond':
      verdict.response.body?.cancelled?.()
      return
    case 'hang':
      verdict.cancelled()
      return
    case 'pass':
    case 'reject':
  }
}
