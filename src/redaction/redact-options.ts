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
  readonly patterns: readonly NamedPattern[]
}

const memberNames = ['headers', 'query', 'keys', 'patterns']

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
    patterns: checkPatterns(options.patterns),
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
  if (typeof name !== 'string' || !/^[a-z][a-z0-9-]{0,39}$/.test(name)) {
    return refuse(`${option}.name`, name, 'lower-case letters, digits and "-", at most 40, a letter first')
  }
  return { name, pattern: searching(pattern) }
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
