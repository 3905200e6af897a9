import { HttpResponse, http } from 'msw'
import { setupServer } from 'msw/node'
import { neighbour } from '../harness/neighbour.mjs'

const server = setupServer(http.get('http://own.test/answer', () => HttpResponse.json({ by: 'tool' })))

neighbour('msw', {
  package: 'msw',
  answers: true,
  start: () => server.listen({ onUnhandledRequest: 'bypass' }),
  stop: () => server.close(),
})
