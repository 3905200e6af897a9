/** How a packed value names a value that stands earlier in the file: `request 1 /tools`, `response 2 event 7 /response`. */
import { pointerPath } from './json-pointer.ts'

export interface ValuePlace {
  /** `request`: its JSON body. `response`: its JSON body, or the data of one event. `input`, `result`: of a tool or `call`. */
  readonly part: 'request' | 'response' | 'input' | 'result'
  /** The number of the interaction. */
  readonly number: number
  /** 1-based. It must be an event that stands in the file, not one of a run. */
  readonly event?: number
  readonly path: readonly string[]
}

export function placeText({
  part,
  number,
  event,
  pointer,
}: Omit<ValuePlace, 'path'> & { readonly pointer: string }): string {
  const where = event === undefined ? `${part} ${number}` : `${part} ${number} event ${event}`
  return pointer === '' ? where : `${where} ${pointer}`
}

/** Undefined for text that names no place. */
export function readPlace(text: string): ValuePlace | undefined {
  const match = /^(request|response|input|result) ([1-9]\d{0,8})(?: event ([1-9]\d{0,8}))?(?: (\/.*))?$/s.exec(text)
  if (match === null) return undefined
  const [, part, number, event, pointer = ''] = match
  const path = pointerPath(pointer)
  if (path === undefined || (event !== undefined && part !== 'response')) return undefined
  return {
    part: part as ValuePlace['part'],
    number: Number(number),
    ...(event !== undefined && { event: Number(event) }),
    path,
  }
}
