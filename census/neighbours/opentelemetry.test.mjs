import { context, propagation, trace } from '@opentelemetry/api'
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks'
import { W3CTraceContextPropagator } from '@opentelemetry/core'
import { registerInstrumentations } from '@opentelemetry/instrumentation'
import { HttpInstrumentation } from '@opentelemetry/instrumentation-http'
import { UndiciInstrumentation } from '@opentelemetry/instrumentation-undici'
import { TracerProvider } from '@opentelemetry/sdk-trace'
import { neighbour } from '../harness/neighbour.mjs'

let unregister = () => {}

neighbour('OpenTelemetry', {
  package: '@opentelemetry/instrumentation-http',
  start() {
    context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable())
    propagation.setGlobalPropagator(new W3CTraceContextPropagator())
    trace.setGlobalTracerProvider(new TracerProvider())
    unregister = registerInstrumentations({
      instrumentations: [new HttpInstrumentation(), new UndiciInstrumentation()],
    })
  },
  stop() {
    unregister()
    trace.disable()
    context.disable()
    propagation.disable()
  },
})
