// What makes one text of equal JSON values. Only the first two follow RFC 8785.
import { load } from '../measure/child.mjs'

/** @type {Record<string, () => Promise<(value: unknown) => string>>} */
export const canonicalisers = {
  canonicalize: async () => {
    const module = await load('canonicalize')
    return module.default ?? module.canonicalize
  },
  'json-canonicalize': async () => (await load('json-canonicalize')).canonicalize,
  'safe-stable-stringify': async () => {
    const module = await load('safe-stable-stringify')
    return module.default ?? module.stringify
  },
  'fast-json-stable-stringify': async () => (await load('fast-json-stable-stringify')).default,
}

export const canonicaliserNames = Object.keys(canonicalisers)
