/**
 * Hosts of tracing, error and product analytics services that agents are wired to. Calls to them are no part of a
 * recording: live while recording, answered 204 in replay, never a verdict.
 */
export const telemetryHosts: readonly string[] = [
  'api.smith.langchain.com',
  'eu.api.smith.langchain.com',
  '*.langfuse.com',
  '*.sentry.io',
  '*.posthog.com',
  'api.segment.io',
  'api.mixpanel.com',
  'api2.amplitude.com',
  'api.honeycomb.io',
  '*.datadoghq.com',
  '*.datadoghq.eu',
  '*.nr-data.net',
  '*.newrelic.com',
  'api.helicone.ai',
  'otlp.arize.com',
  'app.phoenix.arize.com',
  '*.otel.traceloop.com',
  'api.traceloop.com',
]

/** Paths of the OpenTelemetry protocol and of SDK tracing, whatever the host. */
export const telemetryPaths: readonly RegExp[] = [/\/v1\/(?:traces|metrics|logs)$/, /\/v1\/traces\/ingest$/]
