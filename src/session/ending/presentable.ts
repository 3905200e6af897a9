import { isReplayError } from '../../errors/replay-error.ts'

/**
 * The same error with a stack of the user's frames alone, so that the runner's code frame is the user's line. Frames of
 * packages and of the runtime are cut. SDKs break the chain of async frames: where none is left, `place` stands in.
 */
export function presentable(error: Error, place: () => string | undefined): Error {
  if (!isReplayError(error)) return error
  const lines = (error.stack ?? '').split('\n')
  const frames = lines.filter((line) => /^\s+at /.test(line) && isUserFrame(line))
  const stand = frames.length === 0 ? place() : undefined
  if (stand !== undefined) frames.push(`    at ${stand}`)
  error.stack = [`${error.name}: ${error.message}`, ...frames].join('\n')
  return error
}

function isUserFrame(line: string): boolean {
  return !/node_modules|\(?node:|\/turntape\/(?:dist|src)\/|\(<anonymous>\)|\(native\)/.test(line) && /[\\/]/.test(line)
}

/** True for what an SDK threw with our own words in it: it says nothing new. */
export function repeats(other: { readonly message?: unknown }, failure: Error): boolean {
  const first = isReplayError(failure) ? failure.shortMessage : failure.message
  return unescaped(String(other.message)).includes(unescaped(first))
}

// Clients that print a body print our words as JSON, some of them twice over: quotes and backslashes come escaped.
function unescaped(text: string): string {
  return text.replaceAll('\\', '')
}
