let taken: typeof Response | undefined

/**
 * `Response` as it was at the first call, for reading multipart bodies. Set-up makes that call before a test's modules load, which may
 * put another class in its place. Naming the class loads Node's undici, so that it is not done when this module loads.
 */
export function nativeResponse(): typeof Response {
  taken ??= globalThis.Response
  return taken
}
