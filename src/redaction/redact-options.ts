import { escapePattern } from '../core/matching/escape-pattern.ts'
import { ReplayError } from '../errors/replay-error.ts'

/** The option `redact`: more to redact, beside what is always redacted. Nothing can be taken away. */
export interface RedactOptions {
  /** Response headers (and the few stored request headers) whose value is replaced. */
  readonly headers?: readonly string[]
  /** Query keys and form fields whose value is replaced. */
  readonly query?: readonly string[]
  /** JSON members and form fields whose string value is replaced; `apiHost` means `api_host` too. */
  readonly keys?: readonly string[]
  /** Replaced wherever they match: in JSON inside each string as it reads decoded, elsewhere in the text. */
  readonly patterns?: readonly (RegExp | NamedPattern)[]
  /**
   * Replaced wherever they stand, in JSON, URLs and forms as they read decoded; the name stands in the placeholder:
   * `{ 'shop-password': process.env.SHOP_PASSWORD }`. Undefined and empty ones do not count. Under 8 characters: whole words only.
   */
  readonly values?: Readonly<Record<string, string | undefined>>
}

/** `name` stands in the placeholder: `<redacted:NAME:1>`. Lower-case letters, digits and `-`; default `custom`. */
export interface NamedPattern {
  readonly name: string
  readonly pattern: RegExp
}

export interface CheckedRedactOptions {
  readonly headers: readonly string[]
  readonly query: readonly string[]
  readonly keys: readonly string[]
  /** Those of `values` first. */
  readonly patterns: readonly NamedPattern[]
}

const memberNames = ['headers', 'query', 'keys', 'patterns', 'values']

/** Checks what a user wrote. Throws TURNTAPE_INVALID_OPTION. Patterns come out global and never sticky. */
export function checkRedactOptions(options: RedactOptions = {}): CheckedRedactOptions {
  if (typeof options !== 'object' || options === null) refuse('redact', options, 'an object')
  for (const name of Object.keys(options)) {
    if (!memberNames.includes(name)) refuse(`redact.${name}`, name, `one of ${memberNames.join(', ')}`)
  }
  return {
    headers: checkNames('headers', options.headers),
    query: checkNames('query', options.query),
    keys: checkNames('keys', options.keys),
    patterns: [...checkValues(options.values), ...checkPatterns(options.patterns)],
  }
}

function checkNames(option: string, names: unknown): readonly string[] {
  if (names === undefined) return []
  if (!Array.isArray(names)) refuse(`redact.${option}`, names, 'a list of names')
  return (names as unknown[]).map((name, index) => {
    if (typeof name === 'string' && /[A-Za-z0-9]/.test(name)) return name
    return refuse(`redact.${option}[${index}]`, name, 'a name')
  })
}

function checkPatterns(patterns: unknown): readonly NamedPattern[] {
  if (patterns === undefined) return []
  if (!Array.isArray(patterns)) refuse('redact.patterns', patterns, 'a list of regular expressions')
  return (patterns as unknown[]).map((given, index) => checkPattern(`redact.patterns[${index}]`, given))
}

function checkPattern(option: string, given: unknown): NamedPattern {
  if (isRegExp(given)) return { name: 'custom', pattern: searching(given) }
  const { name, pattern } = (typeof given === 'object' && given !== null ? given : {}) as Partial<NamedPattern>
  if (!isRegExp(pattern)) return refuse(option, given, 'a RegExp, or { name, pattern: RegExp }')
  if (typeof name !== 'string' || !kindName.test(name)) return refuse(`${option}.name`, name, kindRule)
  return { name, pattern: searching(pattern) }
}

const kindName = /^[a-z][a-z0-9-]{0,39}$/
const kindRule = 'lower-case letters, digits and "-", at most 40, a letter first'
const minValueLength = 4
const minLengthInWords = 8

function checkValues(values: unknown): readonly NamedPattern[] {
  if (values === undefined) return []
  if (typeof values !== 'object' || values === null || Array.isArray(values)) {
    refuse('redact.values', Array.isArray(values) ? 'an array' : typeof values, 'an object, { name: value }')
  }
  return Object.entries(values as object).flatMap(([name, value]: [string, unknown]) => {
    const option = `redact.values.${name}`
    if (!kindName.test(name)) refuse(option, name, kindRule)
    if (value === undefined || value === '') return []
    // What was given is a secret: only its kind and length may be said.
    if (typeof value !== 'string') return refuse(option, typeof value, 'a string or undefined')
    if (value.length < minValueLength) refuse(option, `${value.length} characters`, 'at least 4 characters')
    return [{ name, pattern: literally(value) }]
  })
}

function literally(value: string): RegExp {
  const source = escapePattern(value)
  return new RegExp(value.length < minLengthInWords ? `(?<![A-Za-z0-9])${source}(?![A-Za-z0-9])` : source, 'g')
}

function searching(pattern: RegExp): RegExp {
  return new RegExp(pattern.source, `${pattern.flags.replace(/[gy]/g, '')}g`)
}

function refuse(option: string, given: unknown, expected: string): never {
  const shown = typeof given === 'string' ? JSON.stringify(given) : String(given)
  throw new ReplayError('TURNTAPE_INVALID_OPTION', { option, given: shown.slice(0, 80), expected })
}

/** Also one of another realm. */
function isRegExp(value: unknown): value is RegExp {
  return Object.prototype.toString.call(value) === '[object RegExp]'
}
