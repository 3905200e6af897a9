import { closeSync, constants, openSync, readSync } from 'node:fs'

/** What the first lines of a cassette say; unverified. */
export interface CassetteHead {
  /** The test named in the header. */
  readonly test: string
  /** The request hash of the first interaction. */
  readonly firstHash: string
}

/** The header is short, and an interaction says its hash before what was sent. */
const headBytes = 16 * 1024

/** @param file absolute. Undefined where nothing is there, or nothing that looks like a cassette with an interaction. */
export function readHead(file: string): CassetteHead | undefined {
  const text = readStart(file)
  if (!/"format"\s*:\s*"turntape\//.test(text.slice(0, 200))) return undefined
  const name = /^\s*"test"\s*:\s*("(?:[^"\\]|\\.)*")/m.exec(text)?.[1]
  const firstHash = /^\s*"hash"\s*:\s*"([0-9a-f]{64})"/m.exec(text)?.[1]
  if (name === undefined || firstHash === undefined) return undefined
  try {
    return { test: JSON.parse(name) as string, firstHash }
  } catch {
    return undefined // no JSON string after all
  }
}

function readStart(file: string): string {
  let descriptor: number | undefined
  try {
    // Non-blocking: opening a pipe must not wait for a writer.
    descriptor = openSync(file, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0))
    const head = Buffer.alloc(headBytes)
    return head.toString('utf8', 0, readSync(descriptor, head))
  } catch {
    return '' // gone, no file, or not readable
  } finally {
    if (descriptor !== undefined) closeSync(descriptor)
  }
}
