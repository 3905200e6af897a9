/** What a value that came from a user's function holds that would not survive JSON. */

export interface NotJson {
  /** JSON pointer of the place; empty for the value itself. */
  readonly pointer: string
  /** `a function`, `NaN`, `a Date`, `undefined`, `a cycle`. */
  readonly found: string
}

interface Frame {
  readonly source: object
  readonly names: readonly string[]
  index: number
}

/**
 * The first thing, in order, that is not JSON; undefined for a value that is. A member that is undefined counts as
 * absent, an element of an array (a hole too) does not. Depth does not matter.
 */
export function findNotJson(root: unknown): NotJson | undefined {
  const frames: Frame[] = []
  const open = new Set<object>()
  /** What is wrong with this value by itself; opens a container. */
  const visit = (value: unknown): string | undefined => {
    if (typeof value !== 'object' || value === null) return notJsonScalar(value)
    if (open.has(value)) return 'a cycle'
    if (!Array.isArray(value) && !isPlain(value)) return withArticle(value)
    open.add(value)
    frames.push({ source: value, names: namesOf(value), index: 0 })
    return undefined
  }
  let found = visit(root)
  for (let frame = frames.at(-1); found === undefined && frame !== undefined; frame = frames.at(-1)) {
    const name = frame.names[frame.index]
    if (name === undefined) {
      open.delete(frame.source)
      frames.pop()
    } else {
      frame.index++
      found = visit((frame.source as Record<string, unknown>)[name])
    }
  }
  return found === undefined ? undefined : { pointer: pointerOf(frames), found }
}

function namesOf(value: object): readonly string[] {
  if (Array.isArray(value)) return Array.from(value, (_, index) => String(index)) // holes included
  return Object.keys(value).filter((name) => (value as Record<string, unknown>)[name] !== undefined)
}

function notJsonScalar(value: unknown): string | undefined {
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return undefined
  if (typeof value === 'number') return Number.isFinite(value) ? undefined : String(value)
  return value === undefined ? 'undefined' : `a ${typeof value}`
}

/** By the prototype chain, not by identity: a plain object of another realm is plain. */
function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === null || Object.getPrototypeOf(prototype) === null
}

function withArticle(value: object): string {
  const { constructor: maker } = Object.getPrototypeOf(value) as { readonly constructor?: unknown }
  const name = typeof maker === 'function' && maker.name !== '' ? maker.name : 'object of a class'
  return `${/^[AEIOaeio]/.test(name) ? 'an' : 'a'} ${name}`
}

/** Each open frame has just been asked for the member before its index. */
function pointerOf(frames: readonly Frame[]): string {
  return frames
    .map(({ names, index }) => names[index - 1])
    .filter((name) => name !== undefined)
    .map((name) => `/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`)
    .join('')
}
