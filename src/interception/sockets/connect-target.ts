/** Where `socket.connect(…)` is to go, from any of its forms. */

export interface ConnectTarget {
  readonly host: string
  readonly port: number | undefined
}

/**
 * The forms: `(options, callback?)`, `(port, host?, callback?)`, `(path, callback?)`, and the list that `net.connect` has
 * already normalised. Undefined for a pipe or Unix socket, which never leaves the machine.
 */
export function connectTarget(args: readonly unknown[]): ConnectTarget | undefined {
  const first = Array.isArray(args[0]) ? (args[0][0] as unknown) : args[0]
  if (typeof first === 'object' && first !== null) return targetOfOptions(first)
  // Node's own rule: what is no number is a path.
  if (typeof first === 'string' && !(Number(first) >= 0)) return undefined
  return { host: typeof args[1] === 'string' ? args[1] : 'localhost', port: portNumber(first) }
}

function targetOfOptions(options: {
  readonly path?: unknown
  readonly host?: unknown
  readonly port?: unknown
}): ConnectTarget | undefined {
  if (options.path) return undefined
  return {
    host: typeof options.host === 'string' && options.host !== '' ? options.host : 'localhost',
    port: portNumber(options.port),
  }
}

function portNumber(port: unknown): number | undefined {
  const value = Number(port)
  return port === undefined || port === null || Number.isNaN(value) ? undefined : value
}
