/** Which earlier request a request is told by, and what it adds or changes (F11). */
import { Draft } from './apply-edits.ts'
import type { HttpRequest, Json, RequestBody } from './document.ts'
import { pointerPath, valueAt } from './json-pointer.ts'
import type { Edit, LikeRequest, PackedRequest } from './packed-document.ts'
import type { Puncher, RecurringValues } from './recurring-values.ts'
import { findEdits } from './request-edits.ts'
import type { ValueIndex } from './value-index.ts'
import { placeText } from './value-place.ts'

/** How far back an earlier request is looked for: more lanes than these never take turns. */
const lookBack = 64

/** So many requests in a row may each be told by the one before; then one stands whole again. */
export const maxLikeDepth = 1024

/** Smaller bodies stand whole: they read better so. */
const leastBody = 200

/** More edits than these, and the body stands whole: nobody could follow them. */
export const maxEdits = 256

/** An earlier request must save so much of the whole to be worth looking up. */
const mostOfWhole = 0.75

interface Earlier {
  readonly number: number
  readonly request: HttpRequest
  readonly depth: number
}

export class RequestPacker {
  readonly #index: ValueIndex
  readonly #recurring: RecurringValues
  readonly #earlier: Earlier[] = []

  constructor(index: ValueIndex, recurring: RecurringValues) {
    this.#index = index
    this.#recurring = recurring
  }

  pack(request: HttpRequest, number: number): PackedRequest {
    const found = this.#likeEarlier(request)
    this.#earlier.push({ number, request, depth: found === undefined ? 0 : found.base.depth + 1 })
    const { body, ...head } = request
    if (found !== undefined) return this.#packLike({ request, number, ...found })
    if (body === undefined || !('json' in body)) return request
    const placeOf = (pointer: string): string => placeText({ part: 'request', number, pointer })
    const { value: json, ...filled } = this.#recurring.punch(body.json, placeOf)
    return { ...head, body: { json, ...filled } }
  }

  #likeEarlier({ body }: HttpRequest): { readonly base: Earlier; readonly edits: readonly Edit[] } | undefined {
    if (body === undefined || this.#sizeOf(body) < leastBody) return undefined
    const base = this.#nearest(body)
    if (base?.request.body === undefined || base.depth >= maxLikeDepth) return undefined
    if (!('json' in body) || !('json' in base.request.body)) return { base, edits: [] }
    const edits = findEdits(base.request.body.json, body.json, this.#index)
    if (edits.length > maxEdits || JSON.stringify(edits).length > this.#sizeOf(body) * mostOfWhole) return undefined
    return this.#gives(edits, base.request.body.json, body.json) ? { base, edits } : undefined
  }

  /** The proof: the edits make the very same value, key order included. */
  #gives(edits: readonly Edit[], base: Json, target: Json): boolean {
    const draft = new Draft(base)
    return edits.every((edit) => draft.apply(edit)) && this.#index.idOf(draft.value) === this.#index.idOf(target)
  }

  /** The earlier request that has most in common with this one; of equals, the latest. */
  #nearest(body: RequestBody): Earlier | undefined {
    let best: { readonly earlier: Earlier; readonly cost: number } | undefined
    for (const earlier of this.#earlier.slice(-lookBack).reverse()) {
      const cost = earlier.request.body === undefined ? undefined : this.#cost(earlier.request.body, body)
      if (cost !== undefined && (best === undefined || cost < best.cost)) best = { earlier, cost }
    }
    return best?.earlier
  }

  /** About how much of `body` is new against `base`, looking two levels deep; undefined where the two cannot be compared. */
  #cost(base: RequestBody, body: RequestBody): number | undefined {
    if (!('json' in base) || !('json' in body)) return this.#idOf(base) === this.#idOf(body) ? 0 : undefined
    const [one, other] = [base.json, body.json]
    if (this.#index.idOf(one) === this.#index.idOf(other)) return 0
    if (!isMembers(one) || !isMembers(other)) return this.#index.sizeOf(other)
    return Object.entries(other).reduce((cost, [name, value]) => cost + this.#memberCost(one[name], value), 0)
  }

  #memberCost(base: Json | undefined, value: Json): number {
    const size = this.#index.sizeOf(value)
    if (base === undefined) return size
    if (this.#index.idOf(base) === this.#index.idOf(value)) return 0
    if (!Array.isArray(base) || !Array.isArray(value)) return size
    let kept = 0
    for (let index = 0; index < value.length && index < base.length; index += 1) {
      if (this.#index.idOf(base[index] as Json) !== this.#index.idOf(value[index] as Json)) break
      kept += this.#index.sizeOf(value[index] as Json)
    }
    return size - kept
  }

  #packLike({ request, number, base, edits }: LikeInput): LikeRequest {
    const json = request.body !== undefined && 'json' in request.body ? request.body.json : null
    const puncher = this.#recurring.start()
    const punched = edits.map((edit) => punchEdit(edit, json, puncher))
    const filled = puncher.finish((pointer) => placeText({ part: 'request', number, pointer }))
    const { method, url, headers } = request
    return {
      like: base.number,
      ...(!sameHead(request, base.request) && { method, url, ...(headers !== undefined && { headers }) }),
      ...(punched.length > 0 && { edits: punched }),
      ...filled,
    }
  }

  #sizeOf(body: RequestBody): number {
    return this.#index.sizeOf(contentOf(body))
  }

  #idOf(body: RequestBody): number {
    return this.#index.idOf(contentOf(body))
  }
}

interface LikeInput {
  readonly request: HttpRequest
  readonly number: number
  readonly base: Earlier
  readonly edits: readonly Edit[]
}

/** Large values in what is put in; their places are those in the finished body. */
function punchEdit(edit: Edit, target: Json, puncher: Puncher): Edit {
  if ('set' in edit) return { at: edit.at, set: puncher.punch(edit.set, edit.at) }
  const items = 'append' in edit ? edit.append : 'insert' in edit ? edit.insert : undefined
  if (items === undefined || typeof items === 'string') return edit
  const end = (valueAt(target, pointerPath(edit.at) ?? []) as readonly Json[] | undefined)?.length ?? 0
  const start = 'from' in edit ? edit.from : end - items.length
  const punched = items.map((item, index) => puncher.punch(item, `${edit.at}/${start + index}`))
  return 'append' in edit ? { at: edit.at, append: punched } : { ...edit, insert: punched }
}

function contentOf(body: RequestBody): Json {
  return ('json' in body ? body.json : body) as Json
}

function sameHead(one: HttpRequest, other: HttpRequest): boolean {
  return one.method === other.method && one.url === other.url && headerText(one) === headerText(other)
}

function headerText({ headers }: HttpRequest): string {
  return headers === undefined ? '' : JSON.stringify(Object.entries(headers).sort())
}

function isMembers(value: Json): value is { readonly [name: string]: Json } {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
