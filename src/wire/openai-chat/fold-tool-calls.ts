/**
 * Tool calls of a message from their fragments. Ids are no key: servers leave them out, send them empty, repeat them, or
 * count them; so does the index. What starts a new call is decided by what is there.
 */
import type { Json } from '../../core/cassette/document.ts'
import { parseJson } from '../../core/cassette/json-text.ts'
import { filledOf, type JsonObject, objectOf, stringOf, withoutNulls } from '../read-json.ts'

export function foldToolCalls(calls: readonly JsonObject[], fragments: readonly JsonObject[]): readonly JsonObject[] {
  return fragments.reduce(foldFragment, calls)
}

/** The one call of the years before `tool_calls`. */
export function foldFunctionCall(call: JsonObject | undefined, fragment: JsonObject): JsonObject {
  return foldNamed({ before: call, fragment, textMember: 'arguments' })
}

function foldFragment(calls: readonly JsonObject[], fragment: JsonObject): readonly JsonObject[] {
  const at =
    fragment.index === undefined ? calls.length - 1 : calls.findLastIndex((call) => call.index === fragment.index)
  const open = calls[at]
  if (open === undefined || startsCall(open, fragment)) return [...calls, foldCall({}, fragment)]
  return calls.with(at, foldCall(open, fragment))
}

/**
 * With an id: another id than the open call's. Without one (Gemini's surface sends whole calls, all of index 0 and
 * with an empty id): a name and arguments, where the open call's arguments are whole already.
 */
function startsCall(open: JsonObject, fragment: JsonObject): boolean {
  const id = filledOf(fragment.id)
  const openId = filledOf(open.id)
  if (id !== undefined && openId !== undefined) return id !== openId
  const { name, text } = partsOf(fragment)
  if (filledOf(name) === undefined || text === undefined) return false
  const openText = partsOf(open).text
  return openText !== undefined && openText !== '' && parseJson(openText) !== undefined
}

function partsOf(call: JsonObject): { readonly name: string | undefined; readonly text: string | undefined } {
  const named = objectOf(call.function) ?? objectOf(call.custom)
  return { name: stringOf(named?.name), text: textOf(named?.arguments) ?? textOf(named?.input) }
}

function foldCall(call: JsonObject, fragment: JsonObject): JsonObject {
  const { id, function: named, custom, ...others } = withoutNulls(fragment)
  const namedFragment = objectOf(named)
  const customFragment = objectOf(custom)
  return {
    ...call,
    ...others,
    ...(id !== undefined && id !== '' && { id }),
    ...(namedFragment && {
      function: foldNamed({ before: objectOf(call.function), fragment: namedFragment, textMember: 'arguments' }),
    }),
    ...(customFragment && {
      custom: foldNamed({ before: objectOf(call.custom), fragment: customFragment, textMember: 'input' }),
    }),
  }
}

interface NamedFragment {
  readonly before: JsonObject | undefined
  readonly fragment: JsonObject
  readonly textMember: 'arguments' | 'input'
}

/** The first name that says something stays; the text grows. */
function foldNamed({ before, fragment, textMember }: NamedFragment): JsonObject {
  const name = filledOf(before?.name) ?? filledOf(fragment.name)
  const isWhole = objectOf(fragment[textMember]) !== undefined
  const text = (isWhole ? undefined : textOf(before?.[textMember])) ?? ''
  return { ...(name !== undefined && { name }), [textMember]: text + (textOf(fragment[textMember]) ?? '') }
}

/** Some servers send arguments as a value; it is whole then. */
function textOf(given: Json | undefined): string | undefined {
  const value = objectOf(given)
  return value === undefined ? stringOf(given) : JSON.stringify(value)
}
