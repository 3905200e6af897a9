import tracer from 'dd-trace'
import { neighbour } from '../harness/neighbour.mjs'

neighbour('dd-trace', {
  package: 'dd-trace',
  start: () => tracer.init({ startupLogs: false, telemetry: { enabled: false }, remoteConfig: { enabled: false } }),
})
