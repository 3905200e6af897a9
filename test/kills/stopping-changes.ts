import { type FileChanges, systemChanges } from '../../src/store/file-changes.ts'

type Change = keyof FileChanges

/** What the system does, and `before` is told of each change, counted from 1, before it happens. */
export function watchedChanges(before: (change: Change, count: number, args: readonly unknown[]) => void): FileChanges {
  let count = 0
  const watched = Object.entries(systemChanges).map(([name, change]) => [
    name,
    (...args: readonly unknown[]): unknown => {
      count += 1
      before(name as Change, count, args)
      return (change as (...args: readonly unknown[]) => unknown)(...args)
    },
  ])
  return Object.fromEntries(watched) as FileChanges
}

/** Stops before the nth change; `half`: where that is a write, once half of it is written. */
export function changesThatStop(
  at: number,
  { half, stop }: { readonly half: boolean; readonly stop: () => void },
): FileChanges {
  return watchedChanges((change, count, args) => {
    if (count !== at) return
    if (half && change === 'write') {
      const [descriptor, content] = args as Parameters<FileChanges['write']>
      systemChanges.write(descriptor, content.slice(0, content.length / 2))
    }
    stop()
  })
}

/** Each change of a run, by name, in order. */
export function recordChanges(run: (changes: FileChanges) => void): readonly Change[] {
  const names: Change[] = []
  run(watchedChanges((change) => names.push(change)))
  return names
}
