import { test } from 'turntape/vitest'
import { expect } from 'vitest'
import { bookTrip, tools } from './agent.ts'

test('books the cheapest flight', async ({ tape }) => {
  // Model calls are recorded as they are. A tool that has an effect is recorded by one line, and not run in replay.
  const bookFlight = tape.tool('book_flight', tools.bookFlight)

  const answer = await bookTrip('A flight from Berlin to Oslo on Friday, for Ada', { ...tools, bookFlight })

  expect(answer).toContain('SK 4712')
  expect(answer).toContain('89 EUR')
  expect(tape.turns).toHaveLength(3)
})
