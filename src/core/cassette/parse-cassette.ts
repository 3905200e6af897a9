/**
 * From the bytes of a cassette file to a document that can be trusted to have its shape (promise 8, F19, F20).
 * Checked on what stands in the file; unfolded when it is first read. A file that may have lost something in parsing is read a
 * second time, exactly, which also finds the place of a fault.
 */
import type { CapName } from '../../errors/codes.ts'
import { ReplayError } from '../../errors/replay-error.ts'
import { type Caps, checkCap } from './caps.ts'
import { bodyBytes } from './decode-body.ts'
import type { Cassette, Json, ResponseBody } from './document.ts'
import { findLoss, type JsonLoss, type JsonPath, locate } from './exact-json.ts'
import { jsonPointer } from './json-pointer.ts'
import { parseJson } from './json-text.ts'
import { mayHaveLost } from './may-have-lost.ts'
import type { PackedCassette } from './packed-document.ts'
import { leastStreamBytes, mayGrow, mostBytes, packedChunkCount, unfoldedBytes } from './packed-size.ts'
import { PackedValues } from './packed-values.ts'
import { checkReferences } from './reference-rules.ts'
import { unservableHead } from './served-head.ts'
import type { ShapeProblem } from './shape.ts'
import { findSyntaxFault, mendRemedies, readUtf8 } from './syntax-fault.ts'
import { unpackCassette } from './unpack-cassette.ts'
import { type FormatVersion, type FormatVersions, findFormat, newest } from './versions/format-version.ts'
import { liftFile } from './versions/lift-file.ts'
import { releasedVersions } from './versions/released-versions.ts'

export interface ParseContext {
  /** The cassette's path, relative to the package root, for messages. */
  readonly cassette: string
  readonly caps: Caps
  /** Default: all that were released. */
  readonly versions?: FormatVersions
}

/**
 * @throws TURNTAPE_CAP_EXCEEDED before anything is unfolded, TURNTAPE_CASSETTE_TOO_NEW, or TURNTAPE_CASSETTE_INVALID
 * with line, column and JSON pointer as far as there are any.
 */
export function parseCassette(content: string | Uint8Array, context: ParseContext): Cassette {
  const { cassette: path } = context
  const bytes = typeof content === 'string' ? Buffer.from(content) : content
  const size = bytes.byteLength
  checkLoadCap(context, 'maxCassetteBytes', size)
  const text = typeof content === 'string' ? content : readUtf8(bytes, path)
  const value = parseJson(text)
  if (value === undefined) throw findSyntaxFault(text, path)
  const packed = readFile(value, { text, bytes }, context)
  const values = new PackedValues(packed, path)
  const references = checkReferences(packed, {
    values,
    fileBytes: size,
    maxBytes: context.caps.maxBodyBytes,
    checkBytes: (bytes) => checkLoadCap(context, 'maxBodyBytes', bytes),
  })
  if (references.problem !== undefined) throw invalidAt(references.problem, textOf(packed, value, text), path)
  const cassette = unpackCassette(packed, values)
  checkBodyCaps({ cassette, packed, size, added: references.added, context })
  return cassette
}

interface FileContent {
  readonly text: string
  readonly bytes: Uint8Array
}

/** The file as one of the newest version; counted before its members are compared with each other (F18, F20). */
function readFile(value: Json, { text, bytes }: FileContent, context: ParseContext): PackedCassette {
  const { cassette: path, versions = releasedVersions } = context
  const version = versionOf(value, text, { path, versions })
  checkInteractionCount(value, context)
  const misshapen = version.shape(value)
  if (misshapen !== undefined) throw invalidAt(misshapen, text, path)
  checkNothingLost(value, { text, bytes }, path)
  const lifted = liftFile(value, version, versions)
  if ('problem' in lifted) throw invalidAt(lifted.problem, undefined, path)
  const packed = lifted.file as PackedCassette
  checkChunkCaps(packed, context)
  const broken = newest(versions).rules(packed) ?? unservableHead(packed)
  if (broken !== undefined) throw invalidAt(broken, textOf(packed, value, text), path)
  checkUnfolded(packed, { path, size: text.length })
  return packed
}

/** What was lifted stands nowhere in the text. */
function textOf(packed: PackedCassette, value: unknown, text: string): string | undefined {
  return packed === value ? text : undefined
}

interface VersionLookUp {
  readonly path: string
  readonly versions: FormatVersions
}

function versionOf(value: unknown, text: string, { path, versions }: VersionLookUp): FormatVersion {
  const found = findFormat(value, versions)
  const { format } = newest(versions)
  switch (found.kind) {
    case 'known':
      return found.version
    case 'newer': {
      const { kind: _kind, ...details } = found
      throw new ReplayError('TURNTAPE_CASSETTE_TOO_NEW', { cassette: path, ...details, supported: format })
    }
    case 'unreleased': {
      const reason = `its format ${found.found} was never released, the first that was is ${versions[0].format}`
      throw notOurs({ reason, reversedPath: ['format'] }, text, path)
    }
    case 'none': {
      const hasFormat = typeof value === 'object' && value !== null && 'format' in value
      const reason = `this is no cassette: its "format" must be "${format}"`
      throw notOurs({ reason, reversedPath: hasFormat ? ['format'] : [] }, text, path)
    }
  }
}

function checkInteractionCount(value: unknown, context: ParseContext): void {
  const { interactions } = value as { readonly interactions?: unknown }
  if (Array.isArray(interactions)) checkLoadCap(context, 'maxInteractions', interactions.length)
}

function checkChunkCaps({ interactions }: PackedCassette, context: ParseContext): void {
  for (const interaction of interactions) {
    const body = 'response' in interaction ? interaction.response?.body : undefined
    if (body === undefined) continue
    checkLoadCap(context, 'maxChunks', packedChunkCount(body))
    if ('events' in body) checkLoadCap(context, 'maxBodyBytes', leastStreamBytes(body))
    else if (!('same' in body) && mayGrow(body)) checkLoadCap(context, 'maxBodyBytes', bodyBytes(body as ResponseBody))
  }
}

/** What the streams of a cassette may take in all, and what a large file may take for each of its characters (F20). */
const maxUnfoldedBytes = 536_870_912
const maxUnfoldedTimes = 256

/** Each body keeps to its cap; two thousand of them, of a hundred bytes each, would still fill any memory. */
function checkUnfolded(
  { interactions }: PackedCassette,
  { path, size }: { readonly path: string; readonly size: number },
): void {
  const most = Math.max(maxUnfoldedBytes, size * maxUnfoldedTimes)
  let total = 0
  for (const [index, interaction] of interactions.entries()) {
    const body = 'response' in interaction ? interaction.response?.body : undefined
    if (body !== undefined) total += unfoldedBytes(body)
    if (total <= most) continue
    const reason = `its streams take more than ${most} bytes when they are unfolded`
    throw invalidAt({ reason, reversedPath: [index, 'interactions'] }, undefined, path)
  }
}

interface BodyCaps {
  readonly cassette: Cassette
  readonly packed: PackedCassette
  /** Of the file, in bytes. */
  readonly size: number
  readonly added: ReadonlyMap<number, number>
  readonly context: ParseContext
}

/** Exact, where a body may be over its cap. */
function checkBodyCaps({ cassette, packed, size, added, context }: BodyCaps): void {
  for (const [index, interaction] of cassette.interactions.entries()) {
    const body = 'response' in interaction ? interaction.response?.body : undefined
    const stored = packed.interactions[index]
    const folded = stored !== undefined && 'response' in stored ? stored.response?.body : undefined
    if (body === undefined || folded === undefined) continue
    const most = mostBytes(folded, { file: size, added: added.get(interaction.number) ?? 0 })
    if (size > context.caps.maxBodyBytes || (mayGrow(folded) && most > context.caps.maxBodyBytes)) {
      checkLoadCap(context, 'maxBodyBytes', bodyBytes(body as ResponseBody))
    }
  }
}

function checkLoadCap({ cassette, caps }: ParseContext, cap: CapName, found: number): void {
  checkCap({ cassette, cap, limit: caps[cap], found, when: 'loading' })
}

function checkNothingLost(value: unknown, { text, bytes }: FileContent, cassette: string): void {
  if (!mayHaveLost(bytes, value)) return
  const loss = findLoss(text, refusedLosses)
  if (loss === undefined) return
  const { line, column, kind, path } = loss
  throw new ReplayError('TURNTAPE_CASSETTE_INVALID', {
    cassette,
    line,
    column,
    pointer: jsonPointer(path),
    reason: lossReason(kind, path),
    remedies: mendRemedies(cassette),
  })
}

const refusedLosses: ReadonlySet<JsonLoss['kind']> = new Set(['duplicate name', 'inexact number'])

function lossReason(kind: JsonLoss['kind'], path: JsonPath): string {
  switch (kind) {
    case 'duplicate name':
      return `the name ${JSON.stringify(path.at(-1))} stands twice in one object`
    case 'inexact number':
      return 'the number has more digits than a double holds'
    case 'prototype name':
    case 'name order':
      return `the name ${JSON.stringify(path.at(-1))} is not allowed here`
  }
}

/** `text`: where the place is looked up; undefined where what is faulty does not stand in the file. */
function invalidAt(
  found: ShapeProblem,
  text: string | undefined,
  cassette: string,
): ReplayError<'TURNTAPE_CASSETTE_INVALID'> {
  const path = [...found.reversedPath].reverse()
  const place = text === undefined ? {} : locate(text, path)
  return new ReplayError('TURNTAPE_CASSETTE_INVALID', {
    cassette,
    ...place,
    pointer: jsonPointer(path),
    reason: found.reason,
    remedies: mendRemedies(cassette),
  })
}

/** What nothing mends. */
function notOurs(found: ShapeProblem, text: string, cassette: string): ReplayError {
  const { details } = invalidAt(found, text, cassette)
  return new ReplayError('TURNTAPE_CASSETTE_INVALID', { ...details, remedies: [] })
}
