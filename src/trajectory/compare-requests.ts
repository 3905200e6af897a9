/** What two requests ask differently, apart from what differs from recording to recording anyway. */
import type { Interaction, Json } from '../core/cassette/document.ts'
import { ExactNumber } from '../core/hashing/exact-number.ts'
import { clientIds } from '../core/matching/client-ids.ts'
import { parseMemberPath, rewriteAt } from '../core/matching/member-path.ts'
import { type Leaf, rewriteJson } from '../core/matching/rewrite-json.ts'
import { type ComparableCall, comparableCall, ownCopy } from '../divergence/present-call.ts'
import { type CallPair, describeChange, requestChanges } from '../divergence/request-changes.ts'
import type { ComparedChange } from './comparison.ts'

/** What a conversation hands back of earlier answers, and only the provider can read. */
const opaque = [
  'messages[*].content[*].signature',
  'messages[*].content[*].data',
  'messages[*].content[*].encrypted_content',
  'messages[*].reasoning_details[*].data',
  'messages[*].reasoning_details[*].signature',
  'input[*].encrypted_content',
  'contents[*].parts[*].thoughtSignature',
  'contents[*].parts[*].thought_signature',
  'previous_response_id',
].map(parseMemberPath)

export function comparedRequests(left: Interaction, right: Interaction): readonly ComparedChange[] {
  if (left.hash === right.hash) return []
  const pair: CallPair = { recorded: withoutVolatile(left), present: withoutVolatile(right) }
  const blank: CallPair = { recorded: withBlankIds(pair.recorded), present: withBlankIds(pair.present) }
  const changes = shownChanges(blank)
  // Equal but for ids: then two of them were mixed up, or none was.
  return changes.length > 0 ? changes : shownChanges(pair)
}

function shownChanges(pair: CallPair): readonly ComparedChange[] {
  return requestChanges(pair).map((change) => {
    const { path, about, recorded, present } = describeChange(change, pair)
    return {
      change: change.place.change,
      path,
      ...(about !== undefined && { about }),
      ...(recorded !== undefined && { left: recorded }),
      ...(present !== undefined && { right: present }),
    }
  })
}

/** All ids renamed by first appearance: the provider's own ones too, which two recordings never share. */
const renameIds = clientIds(new Set())

function withoutVolatile(interaction: Interaction): ComparableCall {
  const call = comparableCall(interaction)
  if (call.kind !== 'model') return call
  const { body, ...renamed } = renameIds(ownCopy(call))
  const plain = opaque.reduce<Json | undefined>(
    (value, path) => (value === undefined ? undefined : rewriteAt(value, path, () => undefined)),
    body,
  )
  return { kind: call.kind, ...renamed, body: plain }
}

/** One more message shifts the names of the ids behind it; without names what is equal is found again. */
function withBlankIds(call: ComparableCall): ComparableCall {
  const { body } = call
  if (call.kind !== 'model' || body === undefined) return call
  return { ...call, body: rewriteJson(body, blankId) }
}

function blankId(leaf: Leaf): Json {
  if (leaf instanceof ExactNumber) return leaf.text
  return typeof leaf === 'string' && /^<id \d+>$/.test(leaf) ? '<id>' : leaf
}
