/** `replaceText`: the normaliser for anything that a pattern can name. */
import { ReplayError } from '../../errors/replay-error.ts'
import type { Normaliser } from './normaliser.ts'
import { ready } from './ready-normaliser.ts'
import { rewriteTexts } from './rewrite-texts.ts'

/**
 * Replaces every match of `pattern` in the URL, the header values and every string of the body; names are left alone.
 * `replacement` as for `String.prototype.replace` (`$1`, `$<name>`). All matches count, with or without the `g` flag.
 */
export function replaceText(pattern: RegExp, replacement: string): Normaliser {
  if (Object.prototype.toString.call(pattern) !== '[object RegExp]') {
    throw new ReplayError('TURNTAPE_INVALID_OPTION', {
      option: 'replaceText(pattern)',
      given: typeof pattern,
      expected: 'a regular expression, for example replaceText(/run-\\d+/, "run-<number>")',
    })
  }
  // A copy: a shared `lastIndex` would make the normaliser depend on who used the pattern before.
  const everywhere = new RegExp(pattern.source, [...new Set(`${pattern.flags.replace('y', '')}g`)].join(''))
  return ready('replaceText', [pattern, replacement], (request) =>
    rewriteTexts(request, (text) => text.replace(everywhere, replacement)),
  )
}
