/**
 * The last look before a cassette is written: refuses what redaction let through. Reads the document as a stranger would,
 * decoded and joined; knows the environment's secrets, and never says them: a finding names the place and the rule.
 */
import type { Cassette, SideFiles } from '../core/cassette/document.ts'
import type { SecretFinding } from '../errors/codes.ts'
import { decodedForms, formsOfBytes } from './decoded-forms.ts'
import { createUnpackBudget, type UnpackBudget } from './decompress.ts'
import { findPatterns } from './find-patterns.ts'
import { findShapes } from './find-shapes.ts'
import { isOrdinaryWord, standsAsName } from './ordinary-words.ts'
import { placeholdersIn } from './placeholder.ts'
import type { NamedPattern } from './redact-options.ts'
import type { ScanFacts } from './scan-facts.ts'
import { namedSecrets } from './scan-names.ts'
import { remedyOf, ruleText, type ScanRule } from './scan-rule.ts'
import { cassetteTexts, type PlacedText } from './scan-texts.ts'
import { outside } from './span.ts'
import { isWordBorder } from './text-borders.ts'

export interface ScanInput {
  /** As it will be written, with values expanded. */
  readonly cassette: Cassette
  readonly sideFiles: SideFiles
  readonly facts: ScanFacts
  /** The user's own, of `redact`: what they match where nothing can be rewritten. Not looked for in bytes that are no text. */
  readonly patterns?: readonly NamedPattern[]
}

/** A rule is reported at this many places at most. */
const maxPlacesPerRule = 5

/** What must not be written, at most five places a rule, in the order of the rules. Linear in the size of the document. */
export function scanForSecrets({ cassette, sideFiles, facts, patterns = [] }: ScanInput): SecretFinding[] {
  const budget = createUnpackBudget()
  const entries = [
    ...cassetteTexts(cassette).flatMap((text) => withForms(text, budget)),
    ...[...sideFiles].flatMap((file) => fileEntries(file, budget)),
  ]
  const haystack = createHaystack(entries)
  const hits = [...valueHits(haystack, facts), ...nameHits(haystack, facts), ...shapeHits(haystack)]
  const reported = new Set(hits.map(({ owner }) => owner))
  const others = [...namedHits(entries), ...patternHits(entries, patterns)]
  const all = [...hits, ...others.filter(({ owner }) => !reported.has(owner))]
  const seen = new Map<string, Set<PlacedText>>()
  const findings: SecretFinding[] = []
  for (const { owner, rule } of all) {
    const text = ruleText(rule)
    const found = seen.get(text) ?? new Set()
    seen.set(text, found)
    if (found.has(owner) || found.size === maxPlacesPerRule) continue
    found.add(owner)
    findings.push({ place: safePlace(owner.place(), facts), rule: text, remedy: remedyOf(rule, owner) })
  }
  return findings
}

/** One way to read a text of the document. */
interface Entry {
  readonly text: string
  readonly owner: PlacedText
  /** `bytes`: no text, one unit a byte; short names and names of members mean nothing in it. */
  readonly form: PlacedText['form'] | 'bytes'
}

function withForms(owner: PlacedText, budget: UnpackBudget): Entry[] {
  const forms = decodedForms(owner.text, budget).map(({ text, form }) => ({
    text,
    owner,
    form: form === 'text' ? owner.form : form,
  }))
  return [{ text: owner.text, owner, form: owner.form }, ...forms]
}

function fileEntries([name, bytes]: readonly [string, Uint8Array], budget: UnpackBudget): Entry[] {
  const owner: PlacedText = { text: '', place: () => `side file ${name}`, form: 'text' }
  return formsOfBytes(bytes, budget).map((form) => ({ ...form, owner }))
}

interface Hit {
  readonly owner: PlacedText
  readonly rule: ScanRule
}

/** All texts in one string, so that each value is searched for once; no value and no shape goes over a border. */
interface Haystack {
  readonly text: string
  entryAt(index: number): Entry
}

const separator = '\u0000'

function createHaystack(entries: readonly Entry[]): Haystack {
  const starts: number[] = []
  let length = 0
  for (const { text } of entries) {
    starts.push(length)
    length += text.length + separator.length
  }
  return {
    text: entries.map(({ text }) => text).join(separator),
    entryAt: (index) => entries[lastAtMost(starts, index)] as Entry,
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

function* valueHits({ text, entryAt }: Haystack, { secretValues }: ScanFacts): Generator<Hit> {
  for (const { name, value } of secretValues) {
    // In bytes that are no text a letter beyond ASCII is several units.
    const asBytes = Buffer.from(value).toString('latin1')
    for (const spelling of new Set([value, asBytes])) {
      for (const index of occurrences(text, spelling)) {
        yield { owner: entryAt(index).owner, rule: { kind: 'value', variable: name } }
      }
    }
  }
}

/** Long enough to mean something where letters stand together by chance. */
const minTellingName = 8

function* nameHits({ text, entryAt }: Haystack, { userNames, hostNames }: ScanFacts): Generator<Hit> {
  const rules = [
    ...userNames.map((name) => ({ name, rule: { kind: 'user name' } as const })),
    ...hostNames.map((name) => ({ name, rule: { kind: 'host name' } as const })),
  ]
  for (const { name, rule } of rules) {
    const isOrdinary = isOrdinaryWord(name)
    for (const index of occurrences(text, name)) {
      const end = index + name.length
      if (!isWordBorder(text, index) || !isWordBorder(text, end)) continue
      if (isOrdinary && !standsAsName(text, index, end)) continue
      const { owner, form } = entryAt(index)
      if (form === 'text' || name.length >= minTellingName) yield { owner, rule }
    }
  }
}

function* shapeHits({ text, entryAt }: Haystack): Generator<Hit> {
  for (const { start, kind } of findShapes(text))
    yield { owner: entryAt(start).owner, rule: { kind: 'shape', shape: kind } }
}

function namedHits(entries: readonly Entry[]): Hit[] {
  return entries.flatMap(({ text, owner }) =>
    namedSecrets(text, text === owner.text ? owner : undefined).map(
      (name): Hit => ({ owner, rule: { kind: 'named', name } }),
    ),
  )
}

/** What the format itself writes is none of the user's text. */
const ownWords = /^\/(?:format|recordedAt|recordedWith|provenance)|\/(?:hash|sha256|file|kind|stage|framing)$/

function patternHits(entries: readonly Entry[], patterns: readonly NamedPattern[]): Hit[] {
  if (patterns.length === 0) return []
  return entries.flatMap(({ text, owner, form }) => {
    if (form === 'bytes' || ownWords.test(owner.pointer ?? '')) return []
    return findPatterns(text, 'text', patterns).flatMap((span): Hit[] =>
      outside([span], placeholdersIn(text)).map(({ kind }) => ({ owner, rule: { kind: 'pattern', name: kind } })),
    )
  })
}

function* occurrences(text: string, value: string): Generator<number> {
  for (let index = text.indexOf(value); index >= 0; index = text.indexOf(value, index + value.length)) yield index
}

/** A pointer is made of member names, and one of these may be the secret, or say it decoded. */
function safePlace(place: string, { secretValues, userNames, hostNames }: ScanFacts): string {
  const told = [...secretValues.map(({ value }) => value), ...userNames, ...hostNames]
  const tells = (text: string): boolean =>
    [text, ...decodedForms(text).map((form) => form.text)].some(
      (form) => told.some((secret) => form.includes(secret)) || findShapes(form).length > 0,
    )
  const concealed = told.reduce((text, secret) => text.replaceAll(secret, '…'), place)
  const parts = concealed.split('/').map((part) => (tells(part) ? '…' : part))
  const safe = parts.join('/')
  // One that is cut over several names: only what stands before the first of them is said.
  return tells(safe) ? `${parts[0]}…` : safe
}
