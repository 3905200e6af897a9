/**
 * From the bytes of a cassette file to a document that can be trusted to have its shape (promise 8, F19, F20).
 * Checked on what stands in the file; unfolded when it is first read. A file that may have lost something in parsing is read a
 * second time, exactly, which also finds the place of a fault.
 */
import type { CapName } from '../../errors/codes.ts'
import { ReplayError } from '../../errors/replay-error.ts'
import { type Caps, checkCap } from './caps.ts'
import { findBrokenRule } from './cassette-rules.ts'
import { cassetteShape } from './cassette-shape.ts'
import { bodyBytes } from './decode-body.ts'
import { CASSETTE_FORMAT, type Cassette, type ResponseBody } from './document.ts'
import { findLoss, type JsonLoss, type JsonPath, locate, parseTree } from './exact-json.ts'
import { jsonPointer } from './json-pointer.ts'
import { parseJson } from './json-text.ts'
import { mayHaveLost } from './may-have-lost.ts'
import type { PackedCassette } from './packed-document.ts'
import { leastStreamBytes, mayGrow, mostBytes, packedChunkCount } from './packed-size.ts'
import { PackedValues } from './packed-values.ts'
import { checkReferences } from './reference-rules.ts'
import type { ShapeProblem } from './shape.ts'
import { findSyntaxFault, readUtf8 } from './syntax-fault.ts'
import { unpackCassette } from './unpack-cassette.ts'

export interface ParseContext {
  /** The cassette's path, relative to the package root, for messages. */
  readonly cassette: string
  readonly caps: Caps
}

/**
 * @throws TURNTAPE_CAP_EXCEEDED before anything is unfolded, TURNTAPE_CASSETTE_TOO_NEW, or TURNTAPE_CASSETTE_INVALID
 * with line, column and JSON pointer as far as there are any.
 */
export function parseCassette(content: string | Uint8Array, context: ParseContext): Cassette {
  const size = typeof content === 'string' ? Buffer.byteLength(content) : content.byteLength
  checkLoadCap(context, 'maxCassetteBytes', size)
  const text = typeof content === 'string' ? content : readUtf8(content, context.cassette)
  const value = parseJson(text)
  if (value === undefined) throw findSyntaxFault(text, context.cassette)
  checkFormat(value, text, context)
  checkInteractionCount(value, context)
  const misshapen = cassetteShape(value)
  if (misshapen !== undefined) throw invalidAt(misshapen, text, context)
  const packed = value as unknown as PackedCassette
  checkChunkCaps(packed, context)
  const broken = findBrokenRule(packed)
  if (broken !== undefined) throw invalidAt(broken, text, context)
  checkNothingLost(value, text, context)
  const values = new PackedValues(packed, context.cassette)
  const references = checkReferences(packed, values, (bytes) => checkLoadCap(context, 'maxBodyBytes', bytes))
  if (references.problem !== undefined) throw invalidAt(references.problem, text, context)
  const cassette = unpackCassette(packed, values)
  checkBodyCaps({ cassette, packed, size, added: references.added, context })
  return cassette
}

function checkFormat(value: unknown, text: string, { cassette }: ParseContext): void {
  const format =
    typeof value === 'object' && value !== null ? (value as { readonly format?: unknown }).format : undefined
  if (format === CASSETTE_FORMAT) return
  const version = typeof format === 'string' ? /^turntape\/(\d{1,9})$/.exec(format)?.[1] : undefined
  if (version !== undefined && Number(version) > supportedVersion) {
    throw new ReplayError('TURNTAPE_CASSETTE_TOO_NEW', {
      cassette,
      found: format as string,
      supported: CASSETTE_FORMAT,
    })
  }
  const reason = `this is no cassette: its "format" must be "${CASSETTE_FORMAT}"`
  throw invalidAt({ reason, reversedPath: format === undefined ? [] : ['format'] }, text, { cassette })
}

const supportedVersion = Number(CASSETTE_FORMAT.split('/')[1])

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

function checkNothingLost(value: unknown, text: string, context: ParseContext): void {
  if (!mayHaveLost(text, value)) return
  const tree = parseTree(text)
  if (!tree.ok) throw findSyntaxFault(text, context.cassette)
  const loss = findLoss(tree.root, text, refusedLosses)
  if (loss === undefined) return
  const { line, column, kind, path } = loss
  throw new ReplayError('TURNTAPE_CASSETTE_INVALID', {
    cassette: context.cassette,
    line,
    column,
    pointer: jsonPointer(path),
    reason: lossReason(kind, path),
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

function invalidAt(found: ShapeProblem, text: string, { cassette }: Pick<ParseContext, 'cassette'>): ReplayError {
  const path = [...found.reversedPath].reverse()
  const tree = parseTree(text)
  const place = tree.ok ? locate(tree.root, path) : {}
  return new ReplayError('TURNTAPE_CASSETTE_INVALID', {
    cassette,
    ...place,
    pointer: jsonPointer(path),
    reason: found.reason,
  })
}
