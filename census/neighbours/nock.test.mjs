import nock from 'nock'
import { neighbour } from '../harness/neighbour.mjs'

nock.restore()

neighbour('nock', {
  package: 'nock',
  answers: true,
  start() {
    if (!nock.isActive()) nock.activate()
    nock('http://own.test').persist().get('/answer').reply(200, { by: 'tool' })
  },
  stop() {
    nock.cleanAll()
    nock.restore()
  },
})
