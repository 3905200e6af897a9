import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type QueueEntry, type QueueOrder, ReplayQueue } from '../../src/core/matching/replay-queue.ts'

/** A tape that compares by hash alone, and counts the slow comparisons. */
function tape(entries: readonly QueueEntry[], order: QueueOrder = 'recorded') {
  const queue = new ReplayQueue(entries, order)
  let compared = 0
  const take = (hash: string, { lane, same = [] }: { lane?: string; same?: readonly number[] } = {}) =>
    queue.take({
      lane,
      hash,
      sameAs: (number) => {
        compared++
        return same.includes(number)
      },
    })
  return { queue, take, compared: () => compared }
}

/** `a b c` : three calls one after the other. */
function sequence(hashes: string, lane?: string): QueueEntry[] {
  return hashes.split(' ').map((hash, index) => ({ number: index + 1, hash, ...(lane === undefined ? {} : { lane }) }))
}

const served = (number: number) => ({ kind: 'served', number, by: expect.any(String) })

describe('a strict lane, promise 4', () => {
  it('serves the recorded order', () => {
    const { take, queue, compared } = tape(sequence('a b c'))
    expect(['a', 'b', 'c'].map((hash) => take(hash))).toEqual([1, 2, 3].map(served))
    expect([queue.unused(), queue.servedNumbers(), queue.laneDone(undefined)]).toEqual([[], [1, 2, 3], true])
    expect(compared()).toBe(0)
  })

  it('serves equal requests in the recorded order, one each', () => {
    const { take } = tape(sequence('a a a'))
    expect([take('a'), take('a'), take('a')]).toEqual([1, 2, 3].map(served))
    expect(take('a')).toEqual({ kind: 'exhausted', played: 3, lane: undefined })
  })

  it('calls a request that equals a later one reordered, and stays where it was', () => {
    const { take, queue } = tape(sequence('a b c'))
    expect(take('c')).toEqual({ kind: 'reordered', expected: 1, equals: 3 })
    expect(queue.servedNumbers()).toEqual([])
    expect(take('a')).toEqual(served(1))
  })

  it('calls swapped calls reordered', () => {
    const { take } = tape(sequence('a b c'))
    take('a')
    expect(take('c')).toEqual({ kind: 'reordered', expected: 2, equals: 3 })
  })

  it('names the next one for a request that equals none', () => {
    const { take } = tape(sequence('a b'))
    take('a')
    expect(take('x')).toEqual({ kind: 'changed', expected: 2, played: undefined })
  })

  it('names the one played for a request that repeats it', () => {
    const { take } = tape(sequence('a b c'))
    take('a')
    expect(take('a')).toEqual({ kind: 'changed', expected: 2, played: 1 })
    take('b')
    take('c')
    expect(take('b')).toEqual({ kind: 'exhausted', played: 2, lane: undefined })
    expect(take('x')).toEqual({ kind: 'exhausted', played: undefined, lane: undefined })
  })

  it('compares slowly only where no hash is equal, with the expected one first', () => {
    const { take, compared } = tape(sequence('a b c'))
    expect(take('x', { same: [1, 2] })).toEqual(served(1))
    expect(compared()).toBe(1)
    expect(take('y', { same: [3] })).toEqual({ kind: 'reordered', expected: 2, equals: 3 })
    expect(take('z', { same: [1] })).toEqual({ kind: 'changed', expected: 2, played: 1 })
  })

  it('serves the expected one that is equal by normalisers although a later one is equal by hash', () => {
    const { take } = tape(sequence('monday tuesday'))
    expect(take('tuesday', { same: [1, 2] })).toEqual(served(1))
    expect(take('wednesday', { same: [1, 2] })).toEqual(served(2))
  })

  it('lists what was not asked for', () => {
    const { take, queue } = tape(sequence('a b c'))
    take('a')
    expect([queue.unused(), queue.laneDone(undefined)]).toEqual([[2, 3], false])
  })
})

describe('overlap, promise 4 and F4', () => {
  // 1 alone, then 2 and 3 together, then 4 alone.
  const entries: QueueEntry[] = [
    { number: 1, hash: 'a' },
    { number: 2, hash: 'b' },
    { number: 3, hash: 'c', overlaps: [2] },
    { number: 4, hash: 'd' },
  ]

  it('is strict before the first overlapping call', () => {
    expect(tape(entries).take('b')).toEqual({ kind: 'reordered', expected: 1, equals: 2 })
  })

  it('matches by content from the first overlapping call on', () => {
    const { take, queue } = tape(entries)
    expect(['a', 'd', 'c', 'b'].map((hash) => take(hash))).toEqual([1, 4, 3, 2].map(served))
    expect(queue.servedNumbers()).toEqual([1, 2, 3, 4])
  })

  it('names the earliest one left for a request that equals none', () => {
    const { take } = tape(entries)
    take('a')
    take('c')
    expect(take('x')).toEqual({ kind: 'changed', expected: 2, played: undefined })
    expect(take('c')).toEqual({ kind: 'changed', expected: 2, played: 3 })
  })

  it('serves equal requests in the recorded order, also where they overlapped', () => {
    const { take } = tape([
      { number: 1, hash: 'a' },
      { number: 2, hash: 'b', overlaps: [1] },
      { number: 3, hash: 'a', overlaps: [1, 2] },
    ])
    expect([take('a'), take('b'), take('a')]).toEqual([1, 2, 3].map(served))
  })

  it('takes the earliest that the slow comparison admits', () => {
    const { take } = tape(entries)
    take('a')
    expect(take('x', { same: [3, 4] })).toEqual(served(3))
    expect(take('x', { same: [3, 4] })).toEqual(served(4))
  })

  it('leaves other lanes strict', () => {
    const { take } = tape([
      { number: 1, hash: 'a', lane: 'one' },
      { number: 2, hash: 'b', lane: 'two', overlaps: [1] },
      { number: 3, hash: 'c', lane: 'two', overlaps: [1] },
    ])
    expect(take('c', { lane: 'two' })).toEqual({ kind: 'reordered', expected: 2, equals: 3 })
    expect(take('b', { lane: 'two' })).toEqual(served(2))
    expect(take('a', { lane: 'one' })).toEqual(served(1))
  })

  it("matches by content everywhere with order 'any'", () => {
    const { take, queue } = tape(sequence('a b a c'), 'any')
    expect(['c', 'a', 'b', 'a'].map((hash) => take(hash))).toEqual([4, 1, 2, 3].map(served))
    expect(queue.unused()).toEqual([])
  })
})

describe('lanes', () => {
  const entries: QueueEntry[] = [
    { number: 1, hash: 'a' },
    { number: 2, hash: 'a', lane: 'left' },
    { number: 3, hash: 'a', lane: 'right' },
    { number: 4, hash: 'b', lane: 'left' },
  ]

  it('never serves from another lane', () => {
    const { take } = tape(entries)
    expect(take('a', { lane: 'right' })).toEqual(served(3))
    expect(take('a', { lane: 'right' })).toEqual({ kind: 'exhausted', played: 3, lane: 'right' })
    expect(take('a', { lane: 'left' })).toEqual(served(2))
    expect(take('a')).toEqual(served(1))
  })

  it('calls a lane that the recording does not have exhausted', () => {
    const { take, queue } = tape(entries)
    expect(take('a', { lane: 'new' })).toEqual({ kind: 'exhausted', played: undefined, lane: 'new' })
    expect([queue.laneDone('new'), queue.positional('new'), queue.abandonLane('new')]).toEqual([true, undefined, []])
  })

  it('gives up a lane: its rest is neither served nor unused', () => {
    const { take, queue } = tape(entries)
    take('a', { lane: 'left' })
    expect(queue.abandonLane('left')).toEqual([4])
    expect(take('b', { lane: 'left' })).toEqual({ kind: 'exhausted', played: undefined, lane: 'left' })
    expect(queue.unused()).toEqual([1, 3])
  })
})

describe('optional calls', () => {
  // 2 was fired and forgotten: it overlaps everything after it.
  const entries: QueueEntry[] = [
    { number: 1, hash: 'a' },
    { number: 2, hash: 'log', optional: true },
    { number: 3, hash: 'b', overlaps: [2] },
    { number: 4, hash: 'c', overlaps: [2] },
  ]

  it('may be skipped, and are not unused', () => {
    const { take, queue } = tape(entries)
    expect(['a', 'b', 'c'].map((hash) => take(hash))).toEqual([1, 3, 4].map(served))
    expect([queue.unused(), queue.laneDone(undefined)]).toEqual([[], true])
    expect(take('x')).toEqual({ kind: 'exhausted', played: undefined, lane: undefined })
  })

  it.each([0, 1, 2, 3])('may be taken at any time (after %i others)', (count) => {
    const { take } = tape(entries)
    for (const hash of ['a', 'b', 'c'].slice(0, count)) take(hash)
    expect(take('log')).toEqual(served(2))
  })

  it('may be taken by the slow comparison too', () => {
    expect(tape(entries).take('log 2', { same: [2] })).toEqual(served(2))
  })

  it('leave the order of the others strict', () => {
    const { take } = tape(entries)
    take('a')
    expect(take('c')).toEqual({ kind: 'reordered', expected: 3, equals: 4 })
  })

  it('are served in the recorded order among equal requests', () => {
    const { take } = tape([
      { number: 1, hash: 'a', optional: true },
      { number: 2, hash: 'a' },
      { number: 3, hash: 'a', optional: true },
    ])
    expect([take('a'), take('a'), take('a')]).toEqual([1, 2, 3].map(served))
  })
})

describe('serving by position, skipping, starting again', () => {
  it('gives the next one of a lane, whatever was asked, and serves it on request', () => {
    const { queue, take } = tape(sequence('a b c'))
    take('a')
    expect(queue.positional(undefined)).toBe(2)
    queue.serve(2)
    expect(queue.positional(undefined)).toBe(3)
    expect(take('c')).toEqual(served(3))
    expect(queue.positional(undefined)).toBe(undefined)
  })

  it('gives an optional one by position only where nothing else is left', () => {
    const { queue } = tape([
      { number: 1, hash: 'a', optional: true },
      { number: 2, hash: 'b' },
    ])
    expect(queue.positional(undefined)).toBe(2)
    queue.serve(2)
    expect(queue.positional(undefined)).toBe(1)
  })

  it('skips to an interaction of a lane', () => {
    const { queue, take } = tape([...sequence('a b c'), { number: 4, hash: 'd', lane: 'other' }])
    expect(queue.skipTo(3)).toEqual([1, 2])
    expect(take('c')).toEqual(served(3))
    expect(queue.unused()).toEqual([4])
  })

  it('starts again', () => {
    const { queue, take } = tape(sequence('a b a'))
    take('a')
    take('b')
    queue.abandonLane(undefined)
    queue.reset()
    expect([queue.unused(), queue.servedNumbers()]).toEqual([[1, 2, 3], []])
    expect(['a', 'b', 'a'].map((hash) => take(hash))).toEqual([1, 2, 3].map(served))
  })
})

describe('laws', () => {
  /** Calls of lanes `x`, `y` and the unnamed one, recorded in some interleaving, a part of them overlapping. */
  const recording = fc
    .array(
      fc.record({
        lane: fc.constantFrom('x', 'y', undefined),
        hash: fc.constantFrom('a', 'b', 'c', 'd'),
        lasts: fc.nat({ max: 2 }),
      }),
      { maxLength: 14 },
    )
    .map((calls) =>
      calls.map(({ lane, hash }, index): QueueEntry => {
        const overlaps = calls.flatMap((other, at) => (at < index && at + other.lasts >= index ? [at + 1] : []))
        return { number: index + 1, hash, ...(lane === undefined ? {} : { lane }), overlaps }
      }),
    )

  it('serves every interleaving that keeps the order within each lane, each lane its own calls', () => {
    fc.assert(
      fc.property(recording, fc.infiniteStream(fc.nat()), (entries, choices) => {
        const { queue, take } = tape(entries)
        const lanes = ['x', 'y', undefined].map((name) => entries.filter(({ lane }) => lane === name))
        while (lanes.some((lane) => lane.length > 0)) {
          const open = lanes.filter((lane) => lane.length > 0)
          const entry = open[(choices.next().value as number) % open.length]?.shift() as QueueEntry
          const { lane } = entry
          expect(take(entry.hash, lane === undefined ? {} : { lane })).toEqual(served(entry.number))
        }
        expect(queue.unused()).toEqual([])
      }),
      { numRuns: 200 },
    )
  })

  it('serves each interaction at most once, equal ones in the recorded order, whatever is asked', () => {
    fc.assert(
      fc.property(
        recording,
        fc.array(fc.constantFrom('a', 'b', 'c', 'd', 'x'), { maxLength: 30 }),
        (entries, asked) => {
          const { queue, take } = tape(entries, 'any')
          const answers = asked.map((hash) => take(hash))
          const numbers = answers.flatMap((answer) => (answer.kind === 'served' ? [answer.number] : []))
          expect([...numbers].sort((a, b) => a - b)).toEqual(queue.servedNumbers())
          for (const hash of ['a', 'b', 'c', 'd']) {
            const ofHash = numbers.filter((number) => entries[number - 1]?.hash === hash)
            const recorded = entries.filter((entry) => entry.hash === hash && entry.lane === undefined)
            expect(ofHash).toEqual(recorded.slice(0, ofHash.length).map(({ number }) => number))
          }
        },
      ),
      { numRuns: 200 },
    )
  })

  it('calls every swap of two different calls in a row reordered', () => {
    fc.assert(
      fc.property(fc.uniqueArray(fc.string(), { minLength: 2, maxLength: 10 }), fc.nat(), (hashes, choice) => {
        const swapped = choice % (hashes.length - 1)
        const { take } = tape(hashes.map((hash, index) => ({ number: index + 1, hash })))
        for (const hash of hashes.slice(0, swapped)) take(hash)
        const answer = take(hashes[swapped + 1] as string)
        expect(answer).toEqual({ kind: 'reordered', expected: swapped + 1, equals: swapped + 2 })
      }),
      { numRuns: 100 },
    )
  })

  it.each<[string, (index: number) => Partial<QueueEntry>, QueueOrder]>([
    ['distinct requests in order', (index) => ({ hash: `h${index}` }), 'recorded'],
    ['equal requests', () => ({ hash: 'h' }), 'recorded'],
    ['overlapping requests', (index) => ({ hash: `h${index}`, overlaps: index === 0 ? [] : [index] }), 'recorded'],
  ])('makes no slow comparison for 2,000 %s', (_, entryOf, order) => {
    const entries = Array.from({ length: 2_000 }, (__, index) => ({ number: index + 1, hash: '', ...entryOf(index) }))
    const { take, compared, queue } = tape(entries, order)
    for (const { hash } of entries) take(hash)
    expect([compared(), queue.servedNumbers().length]).toEqual([0, 2_000])
  })

  it('makes one slow comparison each for 2,000 requests that are equal by normalisers alone', () => {
    const entries = Array.from({ length: 2_000 }, (_, index) => ({
      number: index + 1,
      hash: `h${index}`,
      overlaps: [1],
    }))
    const { take, compared } = tape(entries)
    for (const { number } of entries) take('new', { same: [number] })
    expect(compared()).toBe(2_000)
  })
})

describe('AS-04 calls that cannot be compared, AR-04 AR-05', () => {
  const fits = (...numbers: readonly number[]) => ({ fits: (number: number) => numbers.includes(number) })
  const call = (hash: string, more: { readonly fits?: (number: number) => boolean } = {}) => ({
    ...{ lane: undefined, hash, sameAs: () => false },
    ...more,
  })
  const second = (serving: 'unchecked' | 'never'): QueueEntry[] =>
    sequence('a b c').map((entry) => (entry.number === 2 ? { ...entry, serving } : entry))

  it('are served in their place to a call that fits, and to no other', () => {
    const queue = new ReplayQueue(second('unchecked'), 'recorded')
    expect(queue.take(call('b', fits(2)))).toEqual({ kind: 'changed', expected: 1, played: undefined })
    expect(queue.take(call('a', fits(2)))).toMatchObject({ kind: 'served', number: 1, by: 'hash' })
    expect(queue.take(call('b'))).toEqual({ kind: 'changed', expected: 2, played: undefined })
    expect(queue.take(call('x', fits(1)))).toEqual({ kind: 'changed', expected: 2, played: undefined })
    expect(queue.take(call('x', fits(2)))).toEqual({ kind: 'served', number: 2, by: 'position' })
    expect(queue.take(call('c', fits(3)))).toMatchObject({ number: 3, by: 'hash' })
  })

  it('come after equal ones where content decides', () => {
    const queue = new ReplayQueue(second('unchecked'), 'any')
    expect(queue.take(call('c', fits(2)))).toMatchObject({ number: 3, by: 'hash' })
    expect(queue.take(call('x', fits(2)))).toMatchObject({ number: 2, by: 'position' })
  })

  it('are never served where nothing allows it, by position apart', () => {
    const queue = new ReplayQueue(second('never'), 'recorded')
    queue.take(call('a'))
    expect(queue.take(call('b', fits(2)))).toEqual({ kind: 'changed', expected: 2, played: undefined })
    expect([queue.positional(undefined), queue.unused()]).toEqual([2, [2, 3]])
  })
})

describe('a call in its place, AR-03', () => {
  const inPlace = (
    queue: ReplayQueue,
    hash: string,
    { anyOrder = false, fits = (_: number): boolean => true, same = [0] } = {},
  ) => queue.inPlace({ lane: undefined, hash, sameAs: (number) => same.includes(number), fits, anyOrder })

  it('gets the earliest that fits, equal or not, and takes nothing', () => {
    const queue = new ReplayQueue(sequence('a b c'), 'recorded')
    expect(inPlace(queue, 'c')).toEqual({ number: 1, by: 'position' })
    expect(inPlace(queue, 'x', { fits: (number) => number > 1 })).toEqual({ number: 2, by: 'position' })
    expect(inPlace(queue, 'a')).toEqual({ number: 1, by: 'hash' })
    expect(inPlace(queue, 'x', { same: [1] })).toEqual({ number: 1, by: 'normalised' })
    expect(inPlace(queue, 'x', { fits: () => false })).toBe(undefined)
    expect(queue.servedNumbers()).toEqual([])
  })

  it('gets an equal one first where content decides, or in any order where that is asked', () => {
    const strict = new ReplayQueue(sequence('a b c'), 'recorded')
    expect(inPlace(strict, 'c', { anyOrder: true, fits: () => false })).toEqual({ number: 3, by: 'hash' })
    const loose = new ReplayQueue(
      [
        { number: 1, hash: 'a' },
        { number: 2, hash: 'b', overlaps: [1] },
      ],
      'recorded',
    )
    expect(inPlace(loose, 'b')).toEqual({ number: 2, by: 'hash' })
  })

  it('gets what is required before what is optional', () => {
    const queue = new ReplayQueue(
      [
        { number: 1, hash: 'log', optional: true },
        { number: 2, hash: 'a' },
      ],
      'recorded',
    )
    expect(inPlace(queue, 'x')).toEqual({ number: 2, by: 'position' })
    queue.serve(2)
    expect(inPlace(queue, 'x')).toEqual({ number: 1, by: 'position' })
  })

  it('is found for as many calls as there are entries, whatever they ask', () => {
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom('a', 'b', 'c'), { maxLength: 8 }),
        fc.array(fc.string(), { maxLength: 10 }),
        (recorded, asked) => {
          const queue = new ReplayQueue(
            recorded.map((hash, index) => ({ number: index + 1, hash })),
            'recorded',
          )
          const numbers = asked.flatMap((hash) => {
            const found = inPlace(queue, hash)
            if (found !== undefined) queue.serve(found.number)
            return found === undefined ? [] : [found.number]
          })
          expect(numbers).toEqual(recorded.map((_, index) => index + 1).slice(0, asked.length))
        },
      ),
      { numRuns: 100 },
    )
  })
})
