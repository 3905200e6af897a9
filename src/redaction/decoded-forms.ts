import { asBuffer } from '../core/cassette/as-buffer.ts'
import { createUnpackBudget, type UnpackBudget } from './decompress.ts'
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
/** A dump: pairs of hex digits with a blank or a colon between them. */
const hexPairs = /\b(?:[0-9a-fA-F]{2}[ :]){11}(?:[0-9a-fA-F]{2}[ :])*[0-9a-fA-F]{2}\b/g
/** Bytes as numbers, as a `Buffer` in JSON in a string has them. */
const numberRun = /\b(?:\d{1,3}, ?){11}(?:\d{1,3}, ?)*\d{1,3}\b/g
const textEscape = /\\(?:u\{([0-9a-fA-F]{1,6})\}|u([0-9a-fA-F]{4})|x([0-9a-fA-F]{2})|([0-3][0-7]{2})|(["'\\/bfnrt]))/g
/** What a terminal or a page does not show: colours, joiners of no width, the zeros of UTF-16. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: escape and NUL are what it looks for
const unseen = /\u001b\[[0-9;]{0,20}[A-Za-z]|[\u0000\u00ad\u200b-\u200d\u2060\ufeff]/g
const percentRun = /(?:%[0-9A-Fa-f]{2})+/g
const softLineEnd = /=[ \t]{0,8}\r?\n/g
const entity = /&(?:#(\d{1,7})|#[xX]([0-9a-fA-F]{1,6})|(amp|lt|gt|quot|apos));/g

/**
 * What a text says when its escapes (JSON, URL, HTML, mail), base64, hex digits or packing are undone, these within each
 * other too. No form comes twice, whatever the order in which it was reached.
 * @param budget of all that is unpacked in one look at many texts
 */
export function decodedForms(text: string, budget: UnpackBudget = createUnpackBudget()): DecodedForm[] {
  const known: Known = { runs: new Set(), budget }
  return unfold(formsOf(text, known), known, [text])
}

/** What bytes say: as text where they are some, unpacked where they are packed. */
export function formsOfBytes(bytes: Uint8Array, budget: UnpackBudget = createUnpackBudget()): DecodedForm[] {
  return unfold(readBytes(bytes, budget), { runs: new Set(), budget }, [])
}

interface Known {
  /** Runs of base64 and hex digits that have been decoded: they stand in each spelling of a text. */
  readonly runs: Set<string>
  readonly budget: UnpackBudget
}

function unfold(first: readonly DecodedForm[], known: Known, given: readonly string[]): DecodedForm[] {
  const seen = new Set(given)
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
        if (depth < maxDepth) next.push(formsOf(form.text, known))
      }
    }
    level = next.flat()
  }
  // There are many of these, most of them read out of step: one string is lighter than a hundred thousand.
  return bytes.length === 0 ? texts : [...texts, { text: bytes.join('\u0000'), form: 'bytes' }]
}

function formsOf(text: string, { runs, budget }: Known): DecodedForm[] {
  const decoders = [unescapeText, decodePercent, decodeForm, decodeEntities, decodeMail, removeUnseen]
  const spelled = decoders
    .map((decode) => decode(text))
    .filter((form): form is string => form !== undefined)
    .map((form): DecodedForm => ({ text: form, form: 'text' }))
  const bytes = [...base64Bytes(text, runs), ...hexBytes(text, runs), ...numberBytes(text, runs)]
  return [...spelled, ...bytes.flatMap((decoded) => readBytes(decoded, budget))]
}

/** There are compressed streams that unfold to themselves. */
const maxLayers = 3

function readBytes(bytes: Uint8Array, budget: UnpackBudget, layer = 1): DecodedForm[] {
  const decoded = decodeUtf8(bytes)
  const held = layer > maxLayers ? [] : unpack(bytes, decoded !== undefined, budget)
  const unpacked = held.flatMap((content) => readBytes(content, budget, layer + 1))
  const buffer = asBuffer(bytes)
  const plain = decoded?.text ?? buffer.toString('latin1')
  const forms: DecodedForm[] = plain === '' ? [] : [{ text: plain, form: decoded === undefined ? 'bytes' : 'text' }]
  return [...forms, ...(plain.includes('\u0000') ? wideForms(buffer, plain) : []), ...unpacked]
}

/** UTF-16, whichever half comes first, and what is left without its zeros, wherever it begins. */
function wideForms(bytes: Buffer, plain: string): readonly DecodedForm[] {
  const even = bytes.subarray(0, bytes.length - (bytes.length % 2))
  const texts = [
    plain.replaceAll('\u0000', ''),
    even.toString('utf16le'),
    Buffer.from(even).swap16().toString('utf16le'),
  ]
  return texts.map((text) => ({ text, form: 'bytes' }))
}

const simpleEscapes: Readonly<Record<string, string>> = { b: '\b', f: '\f', n: '\n', r: '\r', t: '\t' }

/** Leaves the quotes where they are: the text may hold a JSON, or a piece of one. */
function unescapeText(text: string): string | undefined {
  if (!text.includes('\\')) return undefined
  return text.replace(
    textEscape,
    (whole, point?: string, unit?: string, byte?: string, octal?: string, letter?: string) => {
      if (letter !== undefined) return simpleEscapes[letter] ?? letter
      const code =
        octal === undefined ? Number.parseInt((point ?? unit ?? byte) as string, 16) : Number.parseInt(octal, 8)
      return code <= 0x10ffff ? String.fromCodePoint(code) : whole
    },
  )
}

function removeUnseen(text: string): string | undefined {
  return text.search(unseen) < 0 ? undefined : text.replace(unseen, '')
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

/** Quoted-printable, whose lines are cut anywhere. */
function decodeMail(text: string): string | undefined {
  if (text.search(softLineEnd) < 0) return undefined
  return text
    .replace(softLineEnd, '')
    .replace(/(?:=[0-9A-F]{2})+/g, (run) => Buffer.from(run.replaceAll('=', ''), 'hex').toString('utf8'))
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

/** How the base64 of a gzip, a zip, a zstd stream and a PDF begins. */
const packedBase64 = ['H4sI', 'UEsDB', 'KLUv', 'JVBERi']

/** Further in, a run is one piece of base64 and not a path with some at its end. */
const maxGlued = 4096
const maxSeparators = 12

function beginnings(run: string): number[] {
  const glued = run.length > maxGlued ? run.slice(0, maxGlued) : run
  const separators = [...glued.matchAll(/[+/_-]|\n/g)].map((match) => match.index + 1)
  if (separators.length === 0) return [0]
  const packedAt = packedBase64.map((start) => run.indexOf(start)).filter((index) => index > 0)
  // Each of four decodes it in step, whatever stands before; behind a separator it comes without that.
  const behind = run.length > maxGlued ? [] : separators.slice(0, maxSeparators)
  return [...new Set([0, 1, 2, 3, ...behind, ...packedAt])]
}

function hexBytes(text: string, runs: Set<string>): Uint8Array[] {
  if (text.length < 24) return []
  return freshRuns(text, [hexRun, hexPairs], runs).map((run) => Buffer.from(run.replace(/[ :]/g, ''), 'hex'))
}

function numberBytes(text: string, runs: Set<string>): Uint8Array[] {
  if (text.length < 24) return []
  return freshRuns(text, [numberRun], runs).flatMap((run) => {
    const numbers = run.split(',').map(Number)
    return numbers.every((number) => number <= 255) ? [Uint8Array.from(numbers)] : []
  })
}

function freshRuns(text: string, patterns: readonly RegExp[], runs: Set<string>): readonly string[] {
  return patterns
    .flatMap((pattern) => [...text.matchAll(pattern)].map(([run]) => run))
    .filter((run) => !runs.has(`bytes ${run}`) && runs.add(`bytes ${run}`))
}
