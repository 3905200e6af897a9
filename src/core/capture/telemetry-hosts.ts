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
const domains: readonly string[] = [
  '.langfuse.com',
  '.sentry.io',
  '.posthog.com',
  '.datadoghq.com',
  '.datadoghq.eu',
  '.nr-data.net',
  '.newrelic.com',
  '.otel.traceloop.com',
]

/** Paths of the OpenTelemetry protocol and of SDK tracing, whatever the host. */
const paths: readonly RegExp[] = [/\/v1\/(?:traces|metrics|logs)$/, /\/v1\/traces\/ingest$/]

export function isTelemetry({ hostname, pathname }: URL): boolean {
  if (hosts.has(hostname) || domains.some((domain) => hostname.endsWith(domain))) return true
  return paths.some((pattern) => pattern.test(pathname))
}
