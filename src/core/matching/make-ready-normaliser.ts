import { dates } from './dates.ts'
import { ignoreMembers } from './ignore-members.ts'
import type { Normaliser } from './normaliser.ts'
import { paths } from './paths.ts'
import type { ReadyNormaliser } from './ready-normaliser.ts'
import { replaceText } from './replace-text.ts'
import { uuids } from './uuids.ts'

const factories: Readonly<Record<string, (...args: never[]) => Normaliser>> = {
  dates,
  ignoreMembers,
  paths,
  replaceText,
  uuids,
}

/** Makes a ready-made normaliser again from its data; undefined for a name that this version does not know. */
export function makeReadyNormaliser({ ready, args }: ReadyNormaliser): Normaliser | undefined {
  return factories[ready]?.(...(args as never[]))
}
