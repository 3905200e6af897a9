/** The shapes of what is packed in values (F11): places by JSON pointer, what fills them, and edits. */
import { pointerPath } from '../../json-pointer.ts'
import {
  array,
  byMember,
  count,
  either,
  json,
  object,
  oneOf,
  optional,
  problem,
  record,
  type Shape,
  string,
} from '../../shape.ts'
import { readPlace } from '../../value-place.ts'
import { maxPointerSteps } from './limits.ts'

const pointer: Shape = (value) => {
  const path = typeof value === 'string' ? pointerPath(value) : undefined
  if (path === undefined || path.length > maxPointerSteps)
    return problem(`it must be a JSON pointer of at most ${maxPointerSteps} steps`)
  return path.includes('__proto__') ? problem('the name "__proto__" is not allowed') : undefined
}

/** An object whose names are JSON pointers. */
export function byPointer(shape: Shape): Shape {
  const members = record(shape)
  return (value) => {
    for (const name of Object.keys(Object(value))) {
      const misnamed = pointer(name)
      if (misnamed !== undefined) return problem(`its name: ${misnamed.reason}`, [name])
    }
    return members(value)
  }
}

const place: Shape = (value) => {
  if (typeof value === 'string' && readPlace(value) !== undefined) return undefined
  // Reserved: `shared <SHA-256>` will name a file of `cassettes/_shared/`.
  return typeof value === 'string' && /^shared [0-9a-f]{64}(?: \/|$)/.test(value)
    ? problem('values shared by many cassettes are not supported by this version')
    : problem('it must name a place, such as "request 1 /tools"')
}

export const filled = { same: optional(byPointer(place)) }

const texts = either(array(json), string)
export const edit = byMember({
  append: object({ at: pointer, append: texts }),
  from: object({ at: pointer, from: count, remove: optional(count), insert: optional(texts) }),
  set: object({ at: pointer, set: json }),
  unset: object({ at: pointer, unset: oneOf(true) }),
})
