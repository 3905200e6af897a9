/** Our own plugin on a test of ours: the cassettes are in `cassettes/` at the root, and replay on every machine. */
import { type Tape, test } from 'turntape/vitest'
import { expect } from 'vitest'
import { bookTrip, tools } from '../../examples/flight-agent/agent.ts'

const wish = (name: string): string => `A flight from Berlin to Oslo on Friday, for ${name}`

const recordedTools = (tape: Tape): typeof tools => ({
  searchFlights: tape.tool('search_flights', tools.searchFlights),
  bookFlight: tape.tool('book_flight', tools.bookFlight),
})

test('books the cheapest flight', async ({ tape }) => {
  const answer = await bookTrip(wish('Ada'), recordedTools(tape))
  expect(answer).toContain('89 EUR')
  expect(tape).toHaveTrajectory(['search_flights', 'book_flight'])
  expect(tape.turns).toHaveLength(3)
})

test('two travellers at once, each in a lane', async ({ tape }) => {
  const recorded = recordedTools(tape)
  const [ada, bob] = await Promise.all([
    tape.lane('ada', () => bookTrip(wish('Ada'), recorded)),
    tape.lane('bob', () => bookTrip(wish('Bob'), recorded)),
  ])
  expect([ada, bob].map((answer) => answer.includes('Booked'))).toEqual([true, true])
  expect(tape.turns.filter(({ lane }) => lane === 'bob')).toHaveLength(3)
})
