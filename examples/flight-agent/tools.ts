/** What the agent can do. The first tool only looks, the second one has an effect. */
import { randomBytes } from 'node:crypto'

export interface Flight {
  readonly flight: string
  readonly departs: string
  readonly minutes: number
  readonly price: number
}

const timetable: readonly Flight[] = [
  { flight: 'LH 2004', departs: '06:40', minutes: 95, price: 214 },
  { flight: 'SK 4712', departs: '13:15', minutes: 160, price: 89 },
  { flight: 'DY 1105', departs: '19:55', minutes: 100, price: 131 },
]

export async function searchFlights(route: { from: string; to: string; day: string }): Promise<readonly Flight[]> {
  return route.from === route.to ? [] : timetable
}

/** Takes money: a test must not do it again at every run. */
export async function bookFlight(order: { flight: string; passenger: string }): Promise<{ reference: string }> {
  return { reference: `${order.flight.slice(0, 2)}-${randomBytes(3).toString('hex').toUpperCase()}` }
}
