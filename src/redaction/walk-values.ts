/** A name, or a place in an array. */
export type Step = string | number

export interface ValueVisitor {
  readonly string: (text: string, path: readonly Step[]) => void
  /** Arrays, too. `pass`: what is in it is not looked at. */
  readonly object: (value: object, path: readonly Step[]) => 'enter' | 'pass'
}

interface Frame {
  readonly value: Readonly<Record<string, unknown>> | readonly unknown[]
  /** Of an object. */
  readonly names: readonly string[] | undefined
  next: number
}

/**
 * Every string and object of a value, in order. Takes memory with the depth alone, whatever stands beside each other: a
 * document may hold millions of numbers, and may be nested deeper than the stack. The path is good for the call only.
 */
export function walkValues(root: unknown, { string, object }: ValueVisitor): void {
  const path: Step[] = []
  const frames: Frame[] = []
  const visit = (value: unknown): void => {
    if (typeof value === 'string') string(value, path)
    if (typeof value !== 'object' || value === null || object(value, path) === 'pass') return
    frames.push({
      value: value as Frame['value'],
      names: Array.isArray(value) ? undefined : Object.keys(value),
      next: 0,
    })
  }
  visit(root)
  for (let frame = frames.at(-1); frame !== undefined; frame = frames.at(-1)) {
    path.length = frames.length - 1
    const { value, names, next } = frame
    const length = names === undefined ? (value as readonly unknown[]).length : names.length
    if (next >= length) {
      frames.pop()
      continue
    }
    frame.next += 1
    const step = names === undefined ? next : (names[next] as string)
    path.push(step)
    visit((value as Readonly<Record<Step, unknown>>)[step])
  }
}
