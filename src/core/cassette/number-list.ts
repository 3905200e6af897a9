/** Lists of whole numbers in which the same one often comes many times in a row: `[12, "0 x 30", 7]`. */
import type { NumberList } from './packed-document.ts'

/** So many equal numbers in a row are written as one. */
const leastRepeat = 4

/** `0 x 12`: no leading zeros, so that there is one way to write a list. */
const repeatPattern = /^(0|[1-9]\d{0,14}) x ([1-9]\d{0,9})$/

export function packNumbers(numbers: readonly number[]): NumberList {
  const packed: (number | string)[] = []
  for (let start = 0; start < numbers.length; ) {
    const number = numbers[start] as number
    let end = start
    while (end < numbers.length && numbers[end] === number) end += 1
    const times = end - start
    if (times >= leastRepeat) packed.push(`${number} x ${times}`)
    else for (; start < end; start += 1) packed.push(number)
    start = end
  }
  return packed
}

export function unpackNumbers(list: NumberList): readonly number[] {
  if (!list.some((item) => typeof item === 'string')) return list as readonly number[]
  return list.flatMap((item) => {
    if (typeof item === 'number') return item
    const { number, times } = readRepeat(item)
    return new Array<number>(times).fill(number)
  })
}

/** How many numbers a list stands for, and their sum, without unfolding it (F20). */
export function measureNumbers(list: NumberList): { readonly count: number; readonly sum: number } {
  let count = 0
  let sum = 0
  for (const item of list) {
    if (typeof item === 'number') {
      count += 1
      sum += item
      continue
    }
    const { number, times } = readRepeat(item)
    count += times
    sum += number * times
  }
  return { count, sum }
}

export function isRepeat(item: unknown): boolean {
  return typeof item === 'string' && repeatPattern.test(item)
}

/** Of the form that `isRepeat` takes. */
function readRepeat(item: string): { readonly number: number; readonly times: number } {
  const [number, times] = item.split(' x ')
  return { number: Number(number), times: Number(times) }
}
