import type { FormatVersions } from './format-version.ts'
import { version1 } from './v1/version-1.ts'

/** Every version that was released: all of them open for ever (F18). */
export const releasedVersions: FormatVersions = [version1]
