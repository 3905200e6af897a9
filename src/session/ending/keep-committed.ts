/**
 * F17: `record` keeps what a committed interaction holds, bytes, cuts and gaps, wherever the new run asked the same and
 * was told the same, ids and dates apart. Ids that the new answer handed out are renamed to the kept ones in what the
 * run sent afterwards, so that the cassette agrees with itself.
 */
import { decodeBody } from '../../core/cassette/decode-body.ts'
import {
  type HttpInteraction,
  type HttpRequest,
  type HttpResponse,
  type Interaction,
  isHttpInteraction,
  type Json,
  type ResponseBody,
  type SideFiles,
  type ValueInteraction,
} from '../../core/cassette/document.ts'
import { hashRequest } from '../../core/hashing/request-hash.ts'
import { collectIds } from '../../core/matching/client-ids.ts'
import { normalisedKey } from '../../core/matching/normalise-request.ts'
import type { Normaliser } from '../../core/matching/normaliser.ts'
import type { DecodedAnswer } from '../../wire/block.ts'
import { decodeAnswer } from '../../wire/decode-answer.ts'
import { sameContent } from '../../wire/same-content.ts'

export interface KeepInput {
  readonly committed: readonly Interaction[]
  readonly committedFiles: SideFiles
  readonly recorded: readonly Interaction[]
  readonly recordedFiles: SideFiles
  readonly normalisers: readonly Normaliser[]
}

/** The interactions to store, in the order of the run. The very committed list where nothing changed at all. */
export function keepCommitted(input: KeepInput): readonly Interaction[] {
  const keeper = new Keeper(input)
  const kept = input.recorded.map((interaction) => keeper.keep(interaction))
  const same =
    kept.length === input.committed.length && kept.every((one, index) => one.content === input.committed[index])
  if (same) return input.committed
  return kept.map(({ content, run }) => placed(content, run))
}

interface Kept {
  /** What is stored: the committed interaction itself, or the new one. */
  readonly content: Interaction
  /** The interaction of this run: its number and overlaps hold as soon as anything changed. */
  readonly run: Interaction
}

class Keeper {
  readonly #input: KeepInput
  readonly #left: Set<Interaction>
  /** New ids and signatures by the kept ones that stand for them. */
  readonly #renamed = new Map<string, string>()

  constructor(input: KeepInput) {
    this.#input = input
    this.#left = new Set(input.committed)
  }

  keep(run: Interaction): Kept {
    if (!isHttpInteraction(run)) return { content: this.#takeValue(run) ?? run, run }
    const request = renameIn(run.request, this.#renamed)
    const asked: HttpInteraction = request === run.request ? run : { ...run, request, hash: hashRequest(request) }
    const committed = this.#find(asked)
    if (committed === undefined || !this.#sameAnswer(committed, asked)) return { content: asked, run }
    this.#left.delete(committed)
    this.#rename(committed, asked)
    return { content: committed, run }
  }

  #takeValue(run: Interaction): Interaction | undefined {
    const same = [...this.#left].find(
      (one) =>
        !isHttpInteraction(one) &&
        !isHttpInteraction(run) &&
        one.kind === run.kind &&
        one.hash === run.hash &&
        equalJson(untimed(one.result), untimed(run.result)),
    )
    if (same !== undefined) this.#left.delete(same)
    return same
  }

  #find(asked: HttpInteraction): HttpInteraction | undefined {
    const candidates = [...this.#left]
      .filter(isHttpInteraction)
      .filter(({ lane, kind }) => lane === asked.lane && kind === asked.kind)
    const equal = candidates.find(({ hash }) => hash === asked.hash)
    if (equal !== undefined) return equal
    const key = this.#keyOf(asked.request)
    return candidates.find(({ request }) => this.#keyOf(request) === key)
  }

  // Every id at a known place counts as renamed: both sides may have made theirs up.
  #keyOf(request: HttpRequest): string {
    return normalisedKey({ request, normalisers: this.#input.normalisers, serverIds: new Set() })
  }

  #sameAnswer(committed: HttpInteraction, recorded: HttpInteraction): boolean {
    const [before, now] = [committed.response, recorded.response]
    if (before === undefined || now === undefined) {
      return equalJson(committed.failure ?? null, recorded.failure ?? null) && before === now
    }
    if (before.status !== now.status || contentType(before) !== contentType(now)) return false
    const { committedFiles, recordedFiles } = this.#input
    const [old, fresh] = [answerOf(committed, committedFiles), answerOf(recorded, recordedFiles)]
    if (old !== undefined && fresh !== undefined) return sameContent(old, fresh)
    return bytesOf(before, committedFiles).equals(bytesOf(now, recordedFiles))
  }

  #rename(committed: HttpInteraction, recorded: HttpInteraction): void {
    const { committedFiles, recordedFiles } = this.#input
    for (const list of [idsOf, signaturesOf]) {
      const [old, fresh] = [list(committed, committedFiles), list(recorded, recordedFiles)]
      if (old.length !== fresh.length) continue
      for (const [index, id] of fresh.entries()) if (id !== old[index]) this.#renamed.set(id, old[index] as string)
    }
  }
}

/** Gaps stay with the committed answer, and are no part of what it says. */
function untimed(result: ValueInteraction['result']): ValueInteraction['result'] {
  if (!('elements' in result)) return result
  const { gapsMs: _gapsMs, ...said } = result
  return said
}

function placed(content: Interaction, { number, overlaps }: Interaction): Interaction {
  const { overlaps: _overlaps, ...rest } = content
  return { ...rest, number, ...(overlaps === undefined ? {} : { overlaps }) } as Interaction
}

function answerOf({ request, response }: HttpInteraction, sideFiles: SideFiles): DecodedAnswer | undefined {
  const json = request.body !== undefined && 'json' in request.body ? request.body.json : undefined
  if (response?.body === undefined) return undefined
  const body = isBinary(response.body) ? [bytesOf(response, sideFiles)] : response.body
  return decodeAnswer({ url: request.url, body, ...(json === undefined ? {} : { request: json }) })
}

function isBinary(body: ResponseBody): boolean {
  return 'file' in body || 'base64' in body
}

function idsOf(interaction: HttpInteraction, sideFiles: SideFiles): readonly string[] {
  const body = interaction.response?.body
  if (body !== undefined && isBinary(body)) return callIdsOf(answerOf(interaction, sideFiles))
  const values = body === undefined ? [] : 'json' in body ? [body.json] : 'events' in body ? dataOf(body.events) : []
  return [...new Set(values.flatMap(collectIds))]
}

/** Of events in frames, which the document does not hold as JSON. */
function callIdsOf(answer: DecodedAnswer | undefined): readonly string[] {
  return (answer?.blocks ?? []).flatMap((block) => (block.kind === 'tool call' ? (block.id ?? []) : []))
}

function dataOf(events: readonly object[]): readonly Json[] {
  return events.flatMap((event) => ('data' in event ? [event.data as Json] : []))
}

function signaturesOf(interaction: HttpInteraction, sideFiles: SideFiles): readonly string[] {
  const blocks = answerOf(interaction, sideFiles)?.blocks ?? []
  return blocks.flatMap((block) => ('signature' in block && block.signature !== undefined ? [block.signature] : []))
}

/** The same request where nothing is renamed. Whole strings and whole path segments alone are ids. */
function renameIn(request: HttpRequest, renamed: ReadonlyMap<string, string>): HttpRequest {
  if (renamed.size === 0) return request
  const url = request.url
    .split('/')
    .map((segment) => renamed.get(segment) ?? segment)
    .join('/')
  const { body } = request
  const json = body !== undefined && 'json' in body ? renameJson(body.json, renamed) : undefined
  if (url === request.url && (json === undefined || (body !== undefined && 'json' in body && json === body.json)))
    return request
  return { ...request, url, ...(json === undefined ? {} : { body: { json } }) }
}

function renameJson(value: Json, renamed: ReadonlyMap<string, string>): Json {
  if (typeof value === 'string') return renamed.get(value) ?? value
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) {
    const items = value.map((item: Json) => renameJson(item, renamed))
    return items.every((item, index) => item === value[index]) ? value : items
  }
  const members = Object.entries(value as { readonly [name: string]: Json })
  const changed = members.map(([name, member]) => [name, renameJson(member, renamed)] as const)
  return changed.every(([, member], index) => member === members[index]?.[1]) ? value : Object.fromEntries(changed)
}

function contentType({ headers }: HttpResponse): string | undefined {
  return headers.find(([name]) => name === 'content-type')?.[1]
}

function bytesOf({ body }: HttpResponse, sideFiles: SideFiles): Buffer {
  return body === undefined
    ? Buffer.alloc(0)
    : Buffer.concat(decodeBody(body, sideFiles).chunks.map(({ bytes }) => bytes))
}

function equalJson(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other)
}
