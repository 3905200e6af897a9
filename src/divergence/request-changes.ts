import type { Json } from '../core/cassette/document.ts'
import { jsonEqual } from '../core/cassette/json-equal.ts'
import type { Change, Layer } from '../errors/divergence-details.ts'
import { changeText } from './change-text.ts'
import { type JsonChange, jsonChanges } from './json-changes.ts'
import { readerPath, valueAt } from './json-path.ts'
import { layerOf, layerOrder } from './layers.ts'
import { placeWords } from './place-words.ts'
import type { ComparableCall } from './present-call.ts'

/** Both sides of a comparison. */
export interface CallPair {
  readonly recorded: ComparableCall
  readonly present: ComparableCall
}

export interface RequestChange {
  readonly layer: Layer
  /** The member of the call that the paths start in. */
  readonly member: 'method' | 'url' | 'headers' | 'body'
  readonly place: JsonChange
}

/** All places where two calls differ, by layer, then as they stand. */
export function requestChanges({ recorded, present }: CallPair): RequestChange[] {
  const inMember = (member: 'method' | 'url' | 'headers'): RequestChange[] =>
    jsonChanges(recorded[member], present[member]).map((place) => ({ layer: member, member, place }))
  const inBody = jsonChanges(recorded.body, present.body).map((place): RequestChange => {
    const layer =
      place.change === 'removed' ? layerOf(recorded, place.recordedPath) : layerOf(present, place.presentPath)
    return { layer, member: 'body', place }
  })
  const all = [...inMember('method'), ...inMember('url'), ...inMember('headers'), ...inBody]
  return all.sort((a, b) => layerOrder.indexOf(a.layer) - layerOrder.indexOf(b.layer))
}

/**
 * Only the changes that count: those whose values still differ when both calls are normalised. Where none is left
 * (a normaliser moves things about), all of them.
 */
export function countingChanges(changes: readonly RequestChange[], normalised: CallPair): readonly RequestChange[] {
  const counting = changes.filter(({ member, place }) => {
    const recorded = place.change === 'added' ? undefined : valueAt(normalised.recorded[member], place.recordedPath)
    const present = place.change === 'removed' ? undefined : valueAt(normalised.present[member], place.presentPath)
    return !jsonEqual(recorded, present) && !(isRenamedId(recorded) && isRenamedId(present))
  })
  return counting.length > 0 ? counting : changes
}

/** As client-made ids are numbered by first appearance, one more message shifts those behind it: no change of its own. */
function isRenamedId(value: Json | undefined): boolean {
  return typeof value === 'string' && /^<id \d+>$/.test(value)
}

/** A change as a reader sees it. */
export function describeChange(change: RequestChange, { recorded, present }: CallPair): Change {
  const { layer, member, place } = change
  const [path, side] = place.change === 'removed' ? [place.recordedPath, recorded] : [place.presentPath, present]
  const text = changeText(place)
  const about =
    member === 'body' && layer !== 'body' && layer !== 'tool input' ? placeWords(side.body, path) : undefined
  const prefix = member === 'body' ? [] : [member]
  const shownPath = readerPath([...prefix, ...path])
  return {
    layer,
    path: shownPath === '' ? (layer === 'tool input' ? 'input' : 'body') : shownPath,
    change: place.change,
    ...(about === undefined ? {} : { about }),
    ...(text.line === undefined ? {} : { line: text.line }),
    recorded: text.recorded,
    present: text.present,
  }
}
