/** A run of events whose columns fit its pattern, and not more events than a stream may have (F9, F19, F20). */
import { columnLength } from '../../columns.ts'
import type { Json } from '../../document.ts'
import { padPointer } from '../../event-runs.ts'
import { pointerPath, valueAt } from '../../json-pointer.ts'
import { eventCount, isRun, isRunBetween } from '../../pack-events.ts'
import { type Column, type EventRun, hole, type PackedEvent } from '../../packed-document.ts'
import { below, jsonBelow, problem, type Shape, type ShapeProblem } from '../../shape.ts'
import { maxEvents, maxTailLength } from './limits.ts'

export function runProblem(events: readonly PackedEvent[]): ShapeProblem | undefined {
  let total = 0
  for (const [index, item] of events.entries()) {
    total += eventCount(item)
    const found = isRun(item) ? patternProblem(item) : undefined
    if (found !== undefined) return below(['events', index], found)
  }
  return total > maxEvents ? problem(`it has ${total} events, more than ${maxEvents}`, ['events']) : undefined
}

function patternProblem(run: EventRun): ShapeProblem | undefined {
  if ((run.data === undefined) === (run.text === undefined)) return problem('it must have either data or text')
  const pad: unknown = run.layout?.pad
  if (pad === hole && !Object.hasOwn(run.columns, padPointer)) {
    return problem('there is no column for it', ['layout', 'pad'])
  }
  for (const [pointer, column] of Object.entries(run.columns)) {
    const found = columnProblem(run, pointer, column)
    if (found !== undefined) return below(['columns', pointer], found)
  }
  return betweenProblem(run)
}

function betweenProblem({ run, between = [] }: EventRun): ShapeProblem | undefined {
  let last = 1
  for (const [index, item] of between.entries()) {
    const found = isRunBetween(item) ? innerProblem(item, run) : undefined
    if (found !== undefined) return below(['between', index], found)
    if (isRunBetween(item)) continue
    if (item[0] < last || item[0] >= run) return problem('it must stand inside the run, in order', ['between', index])
    if ('same' in item[1] && between.some(isRunBetween)) {
      return problem('where runs alternate, events are written out', ['between', index, 1, 'same'])
    }
    // Singles are numbered by their order; where runs alternate, by nothing.
    last = between.some(isRunBetween) ? 1 : item[0]
  }
  return undefined
}

function innerProblem([after, inner]: readonly [Column, EventRun], run: number): ShapeProblem | undefined {
  if (inner.between !== undefined) return problem('it must be a run without others between', [1])
  const places = columnLength(after) ?? inner.run
  const fits = (value: Json): boolean => Number.isInteger(value) && (value as number) >= 1 && (value as number) < run
  if (places !== inner.run || !wholeNumbers(after, inner.run).every(fits)) {
    return problem('it must say for each event a place inside the run', [0])
  }
  const found = patternProblem(inner)
  return found === undefined ? undefined : below([1], found)
}

function columnProblem(run: EventRun, pointer: string, column: Column): ShapeProblem | undefined {
  const pattern = valueAt(run as unknown as Json, pointerPath(pointer) ?? [])
  const root = pointer.split('/', 2)[1] ?? ''
  if (!patternRoots.has(root) || typeof pattern !== 'string' || pattern.split(hole).length !== 2) {
    return problem(`the pattern has no ${hole} there`)
  }
  if (root === 'layout') return pointer === padPointer ? padProblem(column, run.run) : problem('only the pad may vary')
  if ('each' in column && column.each.length !== column.times.length)
    return problem('it must say for each how many times')
  const length = columnLength(column) ?? run.run
  if (length !== run.run) return problem(`it has ${length} values, the run has ${run.run} events`)
  if ('numbers' in column)
    return root === 'data' && pattern === hole ? undefined : problem('numbers stand in data alone')
  if ('from' in column && !Number.isSafeInteger(column.from + column.step * (run.run - 1))) {
    return problem('it counts further than numbers are whole')
  }
  const isText = root !== 'data' || pattern !== hole
  if (isText) return textsOnly(column) ? undefined : problem('it must have texts only')
  return depthProblem(pointer, column)
}

/** Unfolded, its values stand as deep in an event as any value may. */
function depthProblem(pointer: string, column: Column): ShapeProblem | undefined {
  const value = jsonBelow((pointerPath(pointer)?.length ?? 1) - 1)
  if ('each' in column) return firstProblem(value, column.each, ['each'])
  return Array.isArray(column) ? firstProblem(value, column, []) : undefined
}

function firstProblem(shape: Shape, values: readonly Json[], path: readonly string[]): ShapeProblem | undefined {
  // By index: a column has as many values as the stream has events, and an iterator makes a pair for each.
  for (let index = 0; index < values.length; index += 1) {
    const found = shape(values[index])
    if (found !== undefined) return below([...path, index], found)
  }
  return undefined
}

const patternRoots: ReadonlySet<string> = new Set(['event', 'id', 'data', 'text', 'layout'])

function padProblem(column: Column, count: number): ShapeProblem | undefined {
  const values = wholeNumbers(column, count)
  const fits = (value: Json): boolean =>
    typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= maxTailLength
  const length = columnLength(column) ?? count
  return length === count && values.length > 0 && values.every(fits)
    ? undefined
    : problem(`it must have one pad of at most ${maxTailLength} blanks an event`)
}

/** All its numbers, or those that bound them; none where it holds something else. */
function wholeNumbers(column: Column, count: number): readonly Json[] {
  if ('from' in column) return [column.from, column.from + column.step * (count - 1)]
  if ('each' in column) return column.each
  return 'map' in column ? column : [null]
}

function textsOnly(column: Column): boolean {
  if ('grows' in column) return true
  if ('each' in column) return column.each.every((value) => typeof value === 'string')
  return Array.isArray(column) && column.every((value) => typeof value === 'string')
}
