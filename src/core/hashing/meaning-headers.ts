/** The request headers that change what is asked for, promise 4. All others do not count. */
import type { HttpRequest } from '../cassette/document.ts'

/** Lower-case, sorted. */
export const meaningHeaders = ['anthropic-beta', 'anthropic-version', 'openai-beta'] as const

/** The headers that count, names sorted. In the beta lists the order of the items and repetitions do not count. */
export function canonicalHeaders(headers: HttpRequest['headers']): Readonly<Record<string, string>> {
  const counting: Record<string, string> = {}
  for (const name of meaningHeaders) {
    const value = headers?.[name]
    if (value !== undefined) counting[name] = name.endsWith('-beta') ? sortedList(value) : value.trim()
  }
  return counting
}

function sortedList(value: string): string {
  const items = value.split(',').map((item) => item.trim())
  return [...new Set(items)]
    .filter((item) => item !== '')
    .sort()
    .join(',')
}
