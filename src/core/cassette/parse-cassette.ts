/**
 * From the bytes of a cassette file to a document that can be trusted to have its shape (promise 8, F19, F20).
 * Checked on what stands in the file; unfolded when it is first read. A file that may have lost something in parsing is read a
 * second time, exactly, which also finds the place of a fault.
 */
import { ReplayError } from '../../errors/replay-error.ts'
import type { Caps } from './caps.ts'
import type { Cassette, Json } from './document.ts'
import { findLoss, type JsonLoss, type JsonPath, locate } from './exact-json.ts'
import { jsonPointer } from './json-pointer.ts'
import { parseJson } from './json-text.ts'
import { checkLoadCap, checkOpenedBodies, measureBodies, type PackedSizes, unfoldProblem } from './load-caps.ts'
import { mayHaveLost } from './may-have-lost.ts'
import type { PackedCassette } from './packed-document.ts'
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
  const { packed, sizes } = readFile(value, { text, bytes }, context)
  const values = new PackedValues(packed, path)
  const references = checkReferences(packed, {
    values,
    fileBytes: size,
    maxBytes: context.caps.maxBodyBytes,
    checkBytes: (bytes) => checkLoadCap(context, 'maxBodyBytes', bytes),
  })
  if (references.problem !== undefined) throw invalidAt(references.problem, textOf(packed, value, text), path)
  const cassette = unpackCassette(packed, values)
  checkOpenedBodies({ cassette, packed, sizes, added: references.added }, context)
  return cassette
}

interface FileContent {
  readonly text: string
  readonly bytes: Uint8Array
}

interface MeasuredFile {
  readonly packed: PackedCassette
  readonly sizes: PackedSizes
}

/** The file as one of the newest version; counted before its members are compared with each other (F18, F20). */
function readFile(value: Json, { text, bytes }: FileContent, context: ParseContext): MeasuredFile {
  const { cassette: path, versions = releasedVersions } = context
  const version = versionOf(value, text, { path, versions })
  checkInteractionCount(value, context)
  const misshapen = version.shape(value)
  if (misshapen !== undefined) throw invalidAt(misshapen, text, path)
  checkNothingLost(value, { text, bytes }, path)
  const lifted = liftFile(value, version, versions)
  if ('problem' in lifted) throw invalidAt(lifted.problem, undefined, path)
  const packed = lifted.file as PackedCassette
  const sizes = measureBodies(packed, bytes.byteLength, context)
  const broken = newest(versions).rules(packed) ?? unservableHead(packed)
  if (broken !== undefined) throw invalidAt(broken, textOf(packed, value, text), path)
  const tooMuch = unfoldProblem(packed, { ...sizes, fileLength: text.length })
  if (tooMuch !== undefined) throw invalidAt(tooMuch, undefined, path)
  return { packed, sizes }
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
