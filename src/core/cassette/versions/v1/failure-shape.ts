/** The shape of a failure (F16), whose causes are failures again. */
import { json, object, oneOf, optional, problem, record, type Shape, string } from '../../shape.ts'

/** A cause refers to itself, so the shape is a function declared before its parts. */
export const failure: Shape = (value) => failureMembers(value)
const failureMembers = object({
  stage: oneOf('connect', 'request', 'headers', 'body', 'value'),
  name: string,
  message: string,
  code: optional(string),
  details: optional(record(json)),
  cause: optional((value) => boundedCause(value)),
})

/** No real chain is longer; the bound keeps a hostile one from overflowing the stack. */
const maxCauses = 32

function boundedCause(value: unknown): ReturnType<Shape> {
  let depth = 0
  for (let cause = value; typeof cause === 'object' && cause !== null; depth += 1) {
    if (depth >= maxCauses) return problem(`it has a chain of more than ${maxCauses} causes`)
    cause = (cause as { readonly cause?: unknown }).cause
  }
  return failure(value)
}
