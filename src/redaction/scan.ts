/**
 * The last look before a cassette is written: refuses what redaction let through. Reads the document as a stranger would,
 * decoded and joined; knows the environment's secrets, and never says them: a finding names the place and the rule.
 */
import type { Cassette, SideFiles } from '../core/cassette/document.ts'
import type { SecretFinding } from '../errors/codes.ts'
import { decodedForms } from './decoded-forms.ts'
import { findShapes } from './find-shapes.ts'
import type { ScanFacts } from './scan-facts.ts'
import { cassetteTexts, type PlacedText } from './scan-texts.ts'
import { isWordBorder } from './text-borders.ts'
import { decodeUtf8 } from './utf8-text.ts'

export interface ScanInput {
  /** As it will be written, with values expanded. */
  readonly cassette: Cassette
  readonly sideFiles: SideFiles
  readonly facts: ScanFacts
}

/** A rule is reported at this many places at most. */
const maxPlacesPerRule = 5

/** What must not be written, at most five places a rule, in the order of the rules. Linear in the size of the document. */
export function scanForSecrets({ cassette, sideFiles, facts }: ScanInput): SecretFinding[] {
  const haystack = createHaystack([...cassetteTexts(cassette), ...fileTexts(sideFiles)])
  const hits = [...valueHits(haystack, facts), ...nameHits(haystack, facts), ...shapeHits(haystack)]
  const seen = new Map<string, Set<PlacedText>>()
  const findings: SecretFinding[] = []
  for (const { index, rule, remedy } of hits) {
    const found = seen.get(rule) ?? new Set()
    seen.set(rule, found)
    const placed = haystack.ownerAt(index)
    if (found.has(placed) || found.size === maxPlacesPerRule) continue
    found.add(placed)
    findings.push({ place: withoutSecrets(placed.place(), facts), rule, remedy })
  }
  return findings
}

interface Hit {
  /** Where in the haystack. */
  readonly index: number
  readonly rule: string
  readonly remedy: string
}

/** All texts in one string, so that each value is searched for once; no value and no shape goes over a border. */
interface Haystack {
  readonly text: string
  ownerAt(index: number): PlacedText
}

const separator = '\u0000'

function createHaystack(placed: readonly PlacedText[]): Haystack {
  const texts: string[] = []
  const starts: number[] = []
  const owners: PlacedText[] = []
  let length = 0
  const add = (text: string, owner: PlacedText): void => {
    texts.push(text)
    starts.push(length)
    owners.push(owner)
    length += text.length + separator.length
  }
  for (const owner of placed) {
    add(owner.text, owner)
    for (const form of owner.form === 'text' ? decodedForms(owner.text) : []) add(form, owner)
  }
  return {
    text: texts.join(separator),
    ownerAt: (index) => owners[lastAtMost(starts, index)] as PlacedText,
  }
}

function lastAtMost(sorted: readonly number[], value: number): number {
  let low = 0
  let high = sorted.length - 1
  while (low < high) {
    const middle = (low + high + 1) >> 1
    if ((sorted[middle] as number) <= value) low = middle
    else high = middle - 1
  }
  return low
}

function fileTexts(sideFiles: SideFiles): PlacedText[] {
  return [...sideFiles].map(([name, bytes]) => {
    const decoded = decodeUtf8(bytes)
    const text = decoded?.text ?? Buffer.from(bytes).toString('latin1')
    return { text, place: () => `side file ${name}`, form: decoded === undefined ? 'bytes' : 'text' }
  })
}

function* valueHits({ text }: Haystack, { secretValues }: ScanFacts): Generator<Hit> {
  for (const { name, value } of secretValues) {
    const hit = { rule: `the value of ${name}`, remedy: patternRemedy(name.toLowerCase().replace(/[^a-z0-9]+/g, '-')) }
    for (const index of occurrences(text, value)) yield { index, ...hit }
  }
}

function* nameHits(haystack: Haystack, { userNames, hostNames }: ScanFacts): Generator<Hit> {
  const rules = [
    ...userNames.map((name) => ({ name, rule: 'the user name', remedy: patternRemedy('user-name') })),
    ...hostNames.map((name) => ({ name, rule: 'the host name', remedy: patternRemedy('host-name') })),
  ]
  for (const { name, rule, remedy } of rules) {
    for (const index of occurrences(haystack.text, name)) {
      if (isWholeWord(haystack.text, index, name.length) && haystack.ownerAt(index).form === 'text')
        yield { index, rule, remedy }
    }
  }
}

function* shapeHits(haystack: Haystack): Generator<Hit> {
  for (const { start, kind } of findShapes(haystack.text)) {
    if (haystack.ownerAt(start).form !== 'text') continue
    yield { index: start, rule: `the shape of a secret (${kind})`, remedy: patternRemedy(kind) }
  }
}

function* occurrences(text: string, value: string): Generator<number> {
  for (let index = text.indexOf(value); index >= 0; index = text.indexOf(value, index + value.length)) yield index
}

function isWholeWord(text: string, index: number, length: number): boolean {
  return isWordBorder(text, index) && isWordBorder(text, index + length)
}

function patternRemedy(name: string): string {
  return `redact: { patterns: [{ name: '${name}', pattern: /…/ }] }, or beforeRecord(interaction) to edit or drop it`
}

/** A pointer is made of member names, and one of these may be the secret. */
function withoutSecrets(place: string, facts: ScanFacts): string {
  let safe = place
  for (const { value } of facts.secretValues) safe = safe.replaceAll(value, '…')
  for (const { start, end } of findShapes(safe).reverse()) safe = `${safe.slice(0, start)}…${safe.slice(end)}`
  return safe
}
