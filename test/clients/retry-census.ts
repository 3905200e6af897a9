/** What the retry scenario saw, and the table of it for people. */

interface CensusCall {
  readonly kind: string
  /** What ended a call that the server left open; absent: undici's own timeouts. */
  readonly endedBy?: string
  /** How many requests fail before one is answered. */
  readonly fails: number
  readonly outcome: { readonly text?: string; readonly error?: SeenError; readonly calls: number }
  /** Each interaction in short. */
  readonly attempts: readonly string[]
  /** How many attempts each turn has. */
  readonly turns: readonly number[]
}

interface SeenError {
  /** Absent: no Error was thrown. */
  readonly name?: string
  readonly class?: string
}

export type Census = readonly { readonly name: string; readonly calls: readonly CensusCall[] }[]

/** A row a way to fail, a column a client: how many tries it makes of two that it was allowed, and the error in the end. */
export function failureTable(census: Census): string {
  const lasting = census.map(({ name, calls }) => ({ name, calls: calls.filter(({ fails }) => fails > 1) }))
  const head = ['fails with', ...lasting.map(({ name }) => name)]
  const rows = (lasting[0]?.calls ?? []).map(({ kind, endedBy }, index) => [
    endedBy === undefined ? kind : `${kind}; ended by ${endedBy}`,
    ...lasting.map(({ calls }) => cell(calls[index])),
  ])
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n').concat('\n')
}

function cell(call: CensusCall | undefined): string {
  if (call === undefined) return ''
  const { outcome, attempts } = call
  if (outcome.error === undefined) return `${attempts.length}, no error`
  const { class: className, name = className } = outcome.error
  const shown = className ?? name
  // Which of two errors a broken connection gives is a matter of microseconds where no client wraps it.
  if (shown === undefined || bare.has(shown)) return String(attempts.length)
  return `${attempts.length}, ${shown}`
}

const bare = new Set([
  'BodyTimeoutError',
  'ConnectTimeoutError',
  'Error',
  'HeadersTimeoutError',
  'HTTPParserError',
  'ResponseContentLengthMismatchError',
  'SocketError',
])
