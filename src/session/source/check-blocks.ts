import { checkCap } from '../../core/cassette/caps.ts'
import type { HttpInteraction } from '../../core/cassette/document.ts'
import { countBlocks } from '../../core/turns/count-blocks.ts'
import type { SessionContext } from '../session-context.ts'

/**
 * The one cap that the parser cannot check: it counts in what an answer means. Checked when the answer is served, so that no
 * other is unfolded.
 * @throws TURNTAPE_CAP_EXCEEDED
 */
export function checkBlocks({ test, options }: SessionContext, interaction: HttpInteraction): void {
  const limit = options.caps.maxBlocks
  checkCap({ cassette: test.cassette, cap: 'maxBlocks', limit, found: countBlocks(interaction), when: 'loading' })
}
