import { type Interaction, isHttpInteraction } from '../../core/cassette/document.ts'
import { hashRequest, hashValueRequest } from '../../core/hashing/request-hash.ts'
import { ReplayError } from '../../errors/replay-error.ts'
import type { RunEntry, Unplaced } from '../run-log.ts'
import type { SessionContext } from '../session-context.ts'

// A pending recording is written at every call that ends: the option is asked once for each interaction all the same.
const edits = new WeakMap<Unplaced, { readonly edited: Unplaced | undefined }>()

/**
 * The option `beforeRecord` as an edit of what is new in this run; an edited request gets a new hash. What comes from
 * a pending recording was edited when that was written.
 */
export function applyBeforeRecord(
  context: SessionContext,
): (interaction: Unplaced, entry: RunEntry) => Unplaced | undefined {
  const { beforeRecord } = context.options
  let number = 0
  return (interaction, entry) => {
    number += 1
    if (beforeRecord === undefined || entry.origin !== 'live') return interaction
    const known = edits.get(interaction)
    if (known !== undefined) return known.edited
    const edited = edit(beforeRecord, { ...interaction, number } as Interaction)
    edits.set(interaction, { edited })
    return edited
  }
}

type BeforeRecord = NonNullable<SessionContext['options']['beforeRecord']>

function edit(beforeRecord: BeforeRecord, interaction: Interaction): Unplaced | undefined {
  const edited = call(beforeRecord, interaction)
  if (edited === undefined) return undefined
  const { number: _number, ...unplaced } = edited
  return { ...unplaced, hash: hashOf(edited) } as Unplaced
}

function call(
  beforeRecord: (interaction: Interaction) => Interaction | undefined,
  interaction: Interaction,
): Interaction | undefined {
  try {
    return beforeRecord(interaction) ?? undefined
  } catch (cause) {
    const expected = 'a function that returns the interaction, or undefined to drop it'
    throw new ReplayError(
      'TURNTAPE_INVALID_OPTION',
      { option: 'beforeRecord', given: 'a function that throws', expected },
      { cause },
    )
  }
}

function hashOf(interaction: Interaction): string {
  if (isHttpInteraction(interaction)) return hashRequest(interaction.request)
  return hashValueRequest({ kind: interaction.kind, ...interaction.request })
}
