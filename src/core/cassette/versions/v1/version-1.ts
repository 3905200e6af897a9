/**
 * Version 1 of the format: what a file of it may say, in shape, rules and limits. Frozen with everything in this folder, held
 * by `test/formats/frozen.test.ts`, which says what to do instead of an edit (F18). How what it says is understood is in
 * the folders above, held by the files and vectors of `test/formats`.
 */

import type { PackedCassette } from '../../packed-document.ts'
import type { FormatVersion } from '../format-version.ts'
import { findBrokenRule } from './cassette-rules.ts'
import { cassetteShape } from './cassette-shape.ts'

export const version1: FormatVersion = {
  format: 'turntape/1',
  features: new Set(),
  shape: cassetteShape,
  rules: (file) => findBrokenRule(file as PackedCassette),
}
