import { type FileChanges, systemChanges } from '../../src/store/file-changes.ts'

export type Change = keyof FileChanges

interface ChangeMade {
  readonly name: Change
  /** From 1. */
  readonly count: number
  readonly args: readonly unknown[]
}

const notOpened = -1

/** What the system does; `before` is told of each change before it happens. `skip`: it does not happen. */
export function watchedChanges(before: (change: ChangeMade) => 'skip' | undefined): FileChanges {
  let count = 0
  const watched = Object.entries(systemChanges).map(([name, change]) => [
    name,
    (...args: readonly unknown[]): unknown => {
      count += 1
      if (before({ name: name as Change, count, args }) === 'skip') return notOpened
      return (change as (...args: readonly unknown[]) => unknown)(...args)
    },
  ])
  return Object.fromEntries(watched) as FileChanges
}

/** Each change of a run, by name, in order. */
export function recordChanges(run: (changes: FileChanges) => void): readonly Change[] {
  const names: Change[] = []
  run(
    watchedChanges(({ name }) => {
      names.push(name)
      return undefined
    }),
  )
  return names
}

/** Before the nth change; `half`: where that is a write, once half of it is written. */
export interface StopAt {
  readonly at: number
  readonly half: boolean
}

/** Every place where a run can be stopped. */
export function stopsOf(changes: readonly Change[]): readonly StopAt[] {
  return changes.flatMap((change, index) => [
    { at: index + 1, half: false },
    ...(change === 'write' ? [{ at: index + 1, half: true }] : []),
  ])
}

/** Calls `stop` there. */
export function changesThatStop(place: StopAt, stop: () => void): FileChanges {
  return watchedChanges((change) => {
    if (change.count !== place.at) return undefined
    if (place.half) writeHalf(change)
    stop()
    return undefined
  })
}

/** A process that dies there changes nothing any more: neither what comes next, nor what would have cleaned up. */
export function changesThatDie(place: StopAt): FileChanges {
  return watchedChanges((change) => {
    if (change.count < place.at) return undefined
    if (change.count === place.at && place.half) writeHalf(change)
    // Its descriptors are closed with it.
    return change.name === 'close' && change.args[0] !== notOpened ? undefined : 'skip'
  })
}

function writeHalf({ args }: ChangeMade): void {
  const [descriptor, content] = args as Parameters<FileChanges['write']>
  systemChanges.write(descriptor, content.slice(0, content.length / 2))
}
