/**
 * From an error to its structure (F16). `buildFailure` in replaying is the inverse: name, message, code, details and the
 * chain of causes come back. Left out are stacks and what names a machine or a moment: addresses, ports, socket counters.
 */
import type { Failure, Json } from '../core/cassette/document.ts'

type Stage = Failure['stage']

/** Causes deeper than this are cut; a chain may be a circle. */
const maxCauses = 8

const leftOut = new Set([
  'name',
  'message',
  'code',
  'cause',
  'stack',
  'errors',
  'address',
  'port',
  'localAddress',
  'localPort',
  'socket',
])

/** Of errors that come before the request is sent: reaching the host, and agreeing on TLS. */
const connectCode =
  /^(?:UND_ERR_CONNECT|ECONNREFUSED|ENOTFOUND|EAI_|CERT_|ERR_TLS_|ERR_SSL_|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_)/

/**
 * Never throws, whatever was thrown. A value that is no error comes back from `details.value`; a code that is no text, as MCP
 * and gRPC have, from `details.code`.
 */
export function captureFailure(error: unknown, stage: Stage): Failure {
  return captureLink(error, stage, maxCauses)
}

/** Where a call that was never answered broke: reaching the server, or waiting for its head. */
export function failureStage(error: unknown): Stage {
  for (let link = error, depth = 0; isObject(link) && depth <= maxCauses; link = link.cause, depth += 1) {
    if (link.syscall === 'connect' || link.syscall === 'getaddrinfo') return 'connect'
    if (typeof link.code === 'string' && connectCode.test(link.code)) return 'connect'
  }
  return 'headers'
}

type ErrorLike = Readonly<Record<string, unknown>>

function captureLink(error: unknown, stage: Stage, causesLeft: number): Failure {
  if (!isObject(error)) {
    const value =
      error === undefined || typeof error === 'symbol' || typeof error === 'bigint' ? undefined : (error as Json)
    return { stage, name: typeof error, message: String(error), ...(value === undefined ? {} : { details: { value } }) }
  }
  const plain = plainValue(error)
  if (plain !== undefined) return { stage, name: 'object', message: '', details: { value: plain } }
  const details = detailsOf(error)
  return {
    stage,
    name: typeof error.name === 'string' && error.name !== '' ? error.name : 'Error',
    message: typeof error.message === 'string' ? error.message : '',
    ...(typeof error.code === 'string' ? { code: error.code } : {}),
    ...(details === undefined ? {} : { details }),
    ...(error.cause === undefined || causesLeft === 0
      ? {}
      : { cause: captureLink(error.cause, stage, causesLeft - 1) }),
  }
}

function isObject(value: unknown): value is ErrorLike {
  return (typeof value === 'object' && value !== null) || typeof value === 'function'
}

/** What was thrown, where it is a plain object or an array, of whatever realm, and not made to look like an error. */
function plainValue(thrown: ErrorLike): Json | undefined {
  const prototype: unknown = Object.getPrototypeOf(thrown)
  const isPlain = prototype === null || (isObject(prototype) && Object.getPrototypeOf(prototype) === null)
  if (typeof thrown.message === 'string' || !(isPlain || Array.isArray(thrown))) return undefined
  return jsonOf(thrown)
}

function detailsOf(error: ErrorLike): Readonly<Record<string, Json>> | undefined {
  const members = Object.keys(error)
    .filter((name) => !leftOut.has(name) || (name === 'code' && typeof error.code !== 'string'))
    .map((name) => [name, jsonOf(error[name])] as const)
    .filter((member): member is [string, Json] => member[1] !== undefined)
  return members.length === 0 ? undefined : Object.fromEntries(members)
}

function jsonOf(value: unknown): Json | undefined {
  try {
    const text = JSON.stringify(value) as string | undefined
    return text === undefined ? undefined : JSON.parse(text)
  } catch {
    // A circle or a BigInt: it does not survive JSON, so it is not kept.
    return undefined
  }
}
