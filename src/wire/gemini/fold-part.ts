/** The parts of a candidate, put together from its chunks to the parts that a call without streaming returns. */
import type { Json } from '../../core/cassette/document.ts'
import { filledOf, type JsonObject, objectOf, objectsOf, stringOf, withoutMembers } from '../read-json.ts'
import { applyPartialArgument } from './partial-arguments.ts'

/** Text goes on in the last part, a call that will continue as well; anything else is a part of its own. */
export function foldPart(parts: readonly Json[], value: Json): readonly Json[] {
  const part = objectOf(value)
  const last = objectOf(parts.at(-1))
  if (part === undefined) return [...parts, value]
  if (stringOf(part.text) !== undefined) return foldText({ parts, last, part })
  const call = objectOf(part.functionCall)
  if (call === undefined) return [...parts, part]
  const open = objectOf(last?.functionCall)
  if (last === undefined || open?.willContinue !== true)
    return [...parts, { ...part, functionCall: foldCall({}, call) }]
  return parts.with(-1, { ...last, ...part, functionCall: foldCall(open, call) })
}

interface TextPart {
  readonly parts: readonly Json[]
  readonly last: JsonObject | undefined
  readonly part: JsonObject
}

/**
 * A signature comes with any chunk of its text, so it divides nothing; a second one does. An empty part says nothing but
 * its signature.
 */
function foldText({ parts, last, part }: TextPart): readonly Json[] {
  const text = stringOf(part.text) ?? ''
  const signature = filledOf(part.thoughtSignature)
  if (text === '' && signature === undefined) return parts
  const lastText = stringOf(last?.text)
  const sameKind = (last?.thought === true) === (part.thought === true)
  const isSecond = signature !== undefined && filledOf(last?.thoughtSignature) !== undefined
  if (last === undefined || lastText === undefined || !sameKind || isSecond) return [...parts, part]
  return parts.with(-1, { ...last, ...part, text: lastText + text })
}

function foldCall(call: JsonObject, fragment: JsonObject): JsonObject {
  const before = objectOf(call.args) ?? {}
  const partial = objectsOf(fragment.partialArgs)
  const args = partial.reduce(applyPartialArgument, {
    args: { ...before, ...objectOf(fragment.args) },
    open: call.open,
  })
  const { willContinue, ...members } = withoutMembers({ ...call, willContinue: false, ...fragment }, [
    'partialArgs',
    'open',
  ])
  return {
    ...members,
    args: args.args,
    ...(args.open !== undefined && { open: args.open }),
    ...(willContinue === true && { willContinue }),
  }
}
