import * as Sentry from '@sentry/node'
import { neighbour } from '../harness/neighbour.mjs'

neighbour('Sentry', {
  package: '@sentry/node',
  start: () =>
    Sentry.init({ dsn: 'http://key@127.0.0.1:9/1', tracesSampleRate: 1, tracePropagationTargets: [/model\.test/] }),
  stop: () => Sentry.close(0),
})
