/**
 * Hosts of tracing, error and product analytics services that agents are wired to. Calls to them are no part of a
 * recording: live while recording, answered 204 in replay, never a verdict.
 */
const hosts: ReadonlySet<string> = new Set([
  'api.smith.langchain.com',
  'eu.api.smith.langchain.com',
  'api.segment.io',
  'api.mixpanel.com',
  'api2.amplitude.com',
  'api.honeycomb.io',
  'api.helicone.ai',
  'otlp.arize.com',
  'app.phoenix.arize.com',
  'api.traceloop.com',
])

/** Ends of such hosts. */
const domains =
  /\.(?:langfuse\.com|sentry\.io|posthog\.com|datadoghq\.(?:com|eu)|nr-data\.net|newrelic\.com|otel\.traceloop\.com)$/

/** Paths of the OpenTelemetry protocol and of SDK tracing, whatever the host. */
const paths = /\/v1\/(?:traces|metrics|logs|traces\/ingest)$/

export function isTelemetry({ hostname, pathname }: URL): boolean {
  return hosts.has(hostname) || domains.test(hostname) || paths.test(pathname)
}
