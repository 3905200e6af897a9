import { unpack } from './unpack.ts'
import { decodeUtf8 } from './utf8-text.ts'

/** One way to read a text. `bytes`: no text, one unit a byte, so that only exact values and shapes mean something in it. */
export interface DecodedForm {
  readonly text: string
  readonly form: 'text' | 'bytes'
}

/** How often a value may be wrapped (JSON in base64 in a URL …). Few forms, none longer than its text: still linear. */
const maxDepth = 4

/** A run of base64, its lines joined: letters of both alphabets, since both are used for URLs. */
const base64Run = /[A-Za-z0-9+/_-]{16}[A-Za-z0-9+/_-]*(?:(?:\r?\n)[A-Za-z0-9+/_-]{4}[A-Za-z0-9+/_-]*)*/g
const hexRun = /(?:[0-9a-fA-F]{2}){12}(?:[0-9a-fA-F]{2})*/g
const jsonEscape = /\\(?:u([0-9a-fA-F]{4})|x([0-9a-fA-F]{2})|(["'\\/bfnrt]))/g
const percentRun = /(?:%[0-9A-Fa-f]{2})+/g
const entity = /&(?:#(\d{1,7})|#[xX]([0-9a-fA-F]{1,6})|(amp|lt|gt|quot|apos));/g

/**
 * What a text says when its escapes (JSON, URL, HTML), base64, hex digits or compression are undone, these within each
 * other too. No form comes twice, whatever the order in which it was reached.
 */
export function decodedForms(text: string): DecodedForm[] {
  const runs = new Set<string>()
  return unfold(formsOf(text, runs), { text, runs })
}

/** What bytes say: as text where they are some, unpacked where they are compressed. */
export function formsOfBytes(bytes: Uint8Array): DecodedForm[] {
  return unfold(readBytes(bytes), { text: undefined, runs: new Set() })
}

interface Known {
  readonly text: string | undefined
  /** Runs of base64 and hex digits that have been decoded: they stand in each spelling of a text. */
  readonly runs: Set<string>
}

function unfold(first: readonly DecodedForm[], { text, runs }: Known): DecodedForm[] {
  const seen = new Set(text === undefined ? [] : [text])
  const texts: DecodedForm[] = []
  const bytes: string[] = []
  let level = first
  for (let depth = 1; depth <= maxDepth && level.length > 0; depth += 1) {
    const fresh = level.filter((form) => !seen.has(form.text) && seen.add(form.text))
    const next: DecodedForm[][] = []
    for (const form of fresh) {
      if (form.form === 'bytes') bytes.push(form.text)
      else {
        texts.push(form)
        if (depth < maxDepth) next.push(formsOf(form.text, runs))
      }
    }
    level = next.flat()
  }
  // There are many of these, most of them read out of step: one string is lighter than a hundred thousand.
  return bytes.length === 0 ? texts : [...texts, { text: bytes.join('\u0000'), form: 'bytes' }]
}

function formsOf(text: string, runs: Set<string>): DecodedForm[] {
  const spelled = [unescapeJson(text), decodePercent(text), decodeForm(text), decodeEntities(text)]
    .filter((form): form is string => form !== undefined)
    .map((form): DecodedForm => ({ text: form, form: 'text' }))
  return [...spelled, ...[...base64Bytes(text, runs), ...hexBytes(text, runs)].flatMap((bytes) => readBytes(bytes))]
}

/** There are compressed streams that unfold to themselves. */
const maxLayers = 3

function readBytes(bytes: Uint8Array, layer = 1): DecodedForm[] {
  const unpacked = layer > maxLayers ? undefined : unpack(bytes)
  if (unpacked !== undefined) return readBytes(unpacked, layer + 1)
  const decoded = decodeUtf8(bytes)
  if (decoded !== undefined) return decoded.text === '' ? [] : [{ text: decoded.text, form: 'text' }]
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1')
  const forms: DecodedForm[] = [{ text, form: 'bytes' }]
  // UTF-16, whichever half comes first.
  if (text.includes('\u0000')) forms.push({ text: text.replaceAll('\u0000', ''), form: 'bytes' })
  return forms
}

const simpleEscapes: Readonly<Record<string, string>> = { b: '\b', f: '\f', n: '\n', r: '\r', t: '\t' }

/** Leaves the quotes where they are: the text may hold a JSON, or a piece of one. */
function unescapeJson(text: string): string | undefined {
  if (!text.includes('\\')) return undefined
  return text.replace(jsonEscape, (_, unit?: string, byte?: string, letter?: string) =>
    letter === undefined
      ? String.fromCharCode(Number.parseInt((unit ?? byte) as string, 16))
      : (simpleEscapes[letter] ?? letter),
  )
}

function decodePercent(text: string): string | undefined {
  if (!text.includes('%')) return undefined
  return text.replace(percentRun, (run) => Buffer.from(run.replaceAll('%', ''), 'hex').toString('utf8'))
}

/** Forms and queries write a blank as a plus. */
function decodeForm(text: string): string | undefined {
  if (!text.includes('+') || !text.includes('=')) return undefined
  const spaced = text.replaceAll('+', ' ')
  return decodePercent(spaced) ?? spaced
}

const namedEntities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }

function decodeEntities(text: string): string | undefined {
  if (!text.includes('&')) return undefined
  return text.replace(entity, (whole, decimal?: string, hex?: string, name?: string) => {
    if (name !== undefined) return namedEntities[name] as string
    const code = decimal === undefined ? Number.parseInt(hex as string, 16) : Number(decimal)
    return code <= 0x10ffff ? String.fromCodePoint(code) : whole
  })
}

/** A run at each place where it may begin: what stands before it may be written in the same letters. */
function base64Bytes(text: string, runs: Set<string>): Uint8Array[] {
  if (text.length < 16) return []
  const found: Uint8Array[] = []
  for (const [run] of text.matchAll(base64Run)) {
    if (runs.has(run)) continue
    runs.add(run)
    for (const start of beginnings(run)) found.push(Buffer.from(run.slice(start), 'base64'))
  }
  return found
}

/** Further in, a run is one piece of base64 and not a path with some at its end. */
const maxGlued = 4096
const maxSeparators = 12

function beginnings(run: string): number[] {
  const glued = run.length > maxGlued ? run.slice(0, maxGlued) : run
  const separators = [...glued.matchAll(/[+/_-]|\n/g)].map((match) => match.index + 1)
  if (separators.length === 0) return [0]
  const packedAt = run.indexOf('H4sI')
  // Each of four decodes it in step, whatever stands before; behind a separator it comes without that.
  const behind = run.length > maxGlued ? [] : separators.slice(0, maxSeparators)
  return [...new Set([0, 1, 2, 3, ...behind, ...(packedAt > 0 ? [packedAt] : [])])]
}

function hexBytes(text: string, runs: Set<string>): Uint8Array[] {
  if (text.length < 24) return []
  const fresh = [...text.matchAll(hexRun)].map(([run]) => run).filter((run) => !runs.has(`hex ${run}`))
  return fresh.map((run) => {
    runs.add(`hex ${run}`)
    return Buffer.from(run, 'hex')
  })
}
