/** Any text that may be JSON: our exact reading agrees with the language, and nothing that differs is taken for one (F5, F13). */
import { isDeepStrictEqual } from 'node:util'
import type { HttpRequest } from '../../src/core/cassette/document.ts'
import { findFault, findLoss, type JsonLoss } from '../../src/core/cassette/exact-json.ts'
import { parseExact, parseJson } from '../../src/core/cassette/json-text.ts'
import { mayHaveLost } from '../../src/core/cassette/may-have-lost.ts'
import { encodeRequestBody } from '../../src/core/cassette/request-body.ts'
import { canonicalText } from '../../src/core/hashing/canonical-text.ts'
import { hashRequest } from '../../src/core/hashing/request-hash.ts'
import { hold } from '../fuzz-target.ts'
import { mutate } from '../mutate-text.ts'
import { randomFrom } from '../random.ts'

const losses: ReadonlySet<JsonLoss['kind']> = new Set(['duplicate name', 'inexact number'])

export async function checkJson(input: Uint8Array): Promise<void> {
  const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(input)
  const value = parseJson(text)
  hold((findFault(text) === undefined) === (value !== undefined), 'the exact parse and the language differ on a text')
  const exact = parseExact(text)
  if (exact.ok) hold(isDeepStrictEqual(exact.value, value), 'an exact value is another')
  if (value !== undefined && !mayHaveLost(new TextEncoder().encode(text), value)) {
    hold(findLoss(text, losses) === undefined, 'something was lost that the quick proof did not see')
  }
  const canonical = canonicalText(text)
  if (canonical.kind === 'json') {
    const again = canonicalText(canonical.canonical)
    hold(again.kind === 'json' && again.canonical === canonical.canonical, 'the canonical text of one is another')
  }
  await checkApart(input)
}

/** The input and one that is nearly the same have one hash exactly if they say the same. */
async function checkApart(input: Uint8Array): Promise<void> {
  const random = randomFrom(input)
  const other = mutate(input, { random, others: [input] })
  for (const contentType of ['application/json', 'text/plain']) {
    const [one, two] = await Promise.all([input, other].map((bytes) => hashOf(bytes, contentType)))
    const isSame = meaningOf(input) === meaningOf(other)
    hold((one === two) === isSame, isSame ? 'two that say the same have two hashes' : 'two that differ have one hash')
  }
}

async function hashOf(bytes: Uint8Array, contentType: string): Promise<string> {
  const body = await encodeRequestBody(bytes, contentType)
  const request: HttpRequest = {
    method: 'POST',
    url: 'https://a.test/',
    headers: { 'content-type': contentType },
    body,
  }
  return hashRequest(request)
}

/** Written apart from what it judges: members sorted, numbers as fractions of whole ones. */
function meaningOf(bytes: Uint8Array): string {
  const text = decodeStrictly(bytes)
  if (text === undefined) return `bytes ${Buffer.from(bytes).toString('hex')}`
  const value = parseJson(text)
  if (value === undefined || hasDuplicate(text) || /\p{Surrogate}/u.test(stringsOf(text))) return `text ${text}`
  return `json ${sorted(JSON.parse(numbersApart(text)))}`
}

function decodeStrictly(bytes: Uint8Array): string | undefined {
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
    // Control characters beyond those of a text make it bytes (F5).
    // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
    return /[\u0000-\u0007\u000b\u000e-\u001a\u001c-\u001f]/.test(text) ? undefined : text
  } catch {
    return undefined
  }
}

const tokens = /"(?:[^"\\]|\\.)*"|-?\d[\d.eE+-]*/g

function stringsOf(text: string): string {
  return (text.match(tokens) ?? [])
    .filter((token) => token.startsWith('"'))
    .map((token) => JSON.parse(token))
    .join('\n')
}

function numbersApart(text: string): string {
  return text.replace(tokens, (token) => (token.startsWith('"') ? `"s${token.slice(1)}` : `"n${fractionOf(token)}"`))
}

function fractionOf(token: string): string {
  const [, sign = '', whole = '', fraction = '', exponent = '0'] =
    /^(-?)(\d+)(?:\.(\d+))?(?:[eE](.+))?$/.exec(token) ?? []
  let digits = BigInt(whole + fraction)
  if (digits === 0n) return '0'
  let power = BigInt(exponent.replace('+', '')) - BigInt(fraction.length)
  for (; digits % 10n === 0n; power += 1n) digits /= 10n
  return `${sign}${digits}e${power}`
}

function sorted(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(sorted).join()}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const members = Object.entries(value).map(([name, item]) => `${JSON.stringify(name)}:${sorted(item)}`)
  return `{${members.sort().join()}}`
}

/** A name is followed by a colon; one that comes twice in its object is parsed once. */
function hasDuplicate(text: string): boolean {
  const names = text.match(/"(?:[^"\\]|\\.)*"(?=\s*:)/g)?.length ?? 0
  return names !== countNames(JSON.parse(text.replace(/"__proto__"(?=\s*:)/g, '"__proto_"')))
}

function countNames(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0
  const own = Array.isArray(value) ? 0 : Object.keys(value).length
  return Object.values(value).reduce<number>((total, item) => total + countNames(item), own)
}
