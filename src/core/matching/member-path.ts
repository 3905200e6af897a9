/** Paths to members of a body: `messages[*].name`, `metadata.*`, `tools[0]["x-note"]`. */
import { ReplayError } from '../../errors/replay-error.ts'
import type { Json } from '../cassette/document.ts'

export type MemberStep =
  | { readonly kind: 'name'; readonly name: string }
  | { readonly kind: 'index'; readonly index: number }
  /** `[*]`: every element of an array. */
  | { readonly kind: 'elements' }
  /** `*`: every member of an object. */
  | { readonly kind: 'members' }

const stepPattern = /(?:^|(?<=.)\.)(?:(\*)|([^.[\]"*]+))|\[(?:(\*)|(\d+)|"((?:[^"\\]|\\.)*)")\]/gy

/** Throws TURNTAPE_INVALID_OPTION for a text that is no such path. */
export function parseMemberPath(path: string): readonly MemberStep[] {
  const steps: MemberStep[] = []
  let end = 0
  for (const match of path.matchAll(stepPattern)) {
    const [whole, members, name, elements, index, quoted] = match
    end += whole.length
    if (members !== undefined) steps.push({ kind: 'members' })
    else if (name !== undefined) steps.push({ kind: 'name', name })
    else if (elements !== undefined) steps.push({ kind: 'elements' })
    else if (index !== undefined) steps.push({ kind: 'index', index: Number(index) })
    else steps.push({ kind: 'name', name: quoted?.replace(/\\(.)/g, '$1') ?? '' })
  }
  if (end === path.length && steps.length > 0) return steps
  throw new ReplayError('TURNTAPE_INVALID_OPTION', {
    option: 'member path',
    given: JSON.stringify(path),
    expected: 'names joined by dots, with [0], [*] or * where needed: messages[*].name, metadata.*',
  })
}

/** Gives the value that stands in the old one's place; undefined removes it. */
export type RewriteMember = (value: Json) => Json | undefined

/** A copy with `rewrite` applied at every place the path names; the same object where it names none. */
export function rewriteAt(value: Json, path: readonly MemberStep[], rewrite: RewriteMember): Json {
  return descend({ value, path, depth: 0, rewrite }) ?? null
}

interface Descent {
  readonly value: Json
  readonly path: readonly MemberStep[]
  readonly depth: number
  readonly rewrite: RewriteMember
}

function descend(descent: Descent): Json | undefined {
  const { value, path, depth, rewrite } = descent
  const step = path[depth]
  if (step === undefined) return rewrite(value)
  if (typeof value !== 'object' || value === null) return value
  const inner = (member: Json): Json | undefined => descend({ ...descent, value: member, depth: depth + 1 })
  if (Array.isArray(value)) {
    if (step.kind === 'name' || step.kind === 'members') return value
    const elements = value as readonly Json[]
    return keepIfSame(
      elements,
      elements.map((element, index) => (step.kind === 'elements' || step.index === index ? inner(element) : element)),
    )
  }
  if (step.kind === 'index' || step.kind === 'elements') return value
  const members = value as { readonly [name: string]: Json }
  if (step.kind === 'name' && !Object.hasOwn(members, step.name)) return value
  return rewriteMembers({ members, chosen: step.kind === 'name' ? step.name : undefined, inner })
}

function keepIfSame(before: readonly Json[], after: readonly (Json | undefined)[]): readonly Json[] {
  if (after.every((element, index) => element === before[index])) return before
  return after.filter((element) => element !== undefined)
}

interface MembersRewrite {
  readonly members: { readonly [name: string]: Json }
  /** Undefined: every member. */
  readonly chosen: string | undefined
  readonly inner: RewriteMember
}

function rewriteMembers({ members, chosen, inner }: MembersRewrite): Json {
  let changed = false
  const entries: [string, Json][] = []
  for (const [name, before] of Object.entries(members)) {
    const after = chosen === undefined || chosen === name ? inner(before) : before
    changed ||= after !== before
    if (after !== undefined) entries.push([name, after])
  }
  return changed ? Object.fromEntries(entries) : members
}
