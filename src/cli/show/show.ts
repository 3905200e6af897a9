import type { StoredCassette } from '../../store/cassette-store.ts'
import { type CassetteArgument, findCassette } from '../cassette-argument.ts'
import type { CommandContext, ParsedArguments, RunCommand } from '../command.ts'
import { givenCaps } from '../given-caps.ts'
import { readPending } from '../pending-recording.ts'
import { usageError } from '../usage-error.ts'
import { outlineInteractions } from './outline-interaction.ts'
import { renderCassette } from './render-cassette.ts'

/** `turntape show`: one cassette for a reader, or as JSON. */
export const show: RunCommand = (given, context) => {
  const [argument] = given.positionals
  if (argument === undefined)
    throw usageError('show needs a cassette', 'Give its path, or "<test file> > <test name>".')
  const found = findCassette(argument, context)
  const { stored, pending } = readOne({ found, given, context })
  const { cassette } = stored
  const path = context.shown(found.path)
  const outlines = outlineInteractions({ interactions: cassette.interactions, sideFiles: stored.sideFiles })
  if (given.flags.has('json')) {
    const { test, provenance, recordedAt, recordedWith } = cassette
    context.output.json({ cassette: path, pending, test, provenance, recordedAt, recordedWith, interactions: outlines })
    return 0
  }
  const { paint } = context.output
  for (const line of renderCassette({ cassette, path, pending, outlines, paint })) context.output.line(line)
  return 0
}

interface Reading {
  readonly found: CassetteArgument
  readonly given: ParsedArguments
  readonly context: CommandContext
}

function readOne({ found, given, context }: Reading): { readonly stored: StoredCassette; readonly pending: boolean } {
  const { path, namesPending } = found
  const caps = givenCaps(given)
  const wantsPending = given.flags.has('pending') || namesPending
  const committed = wantsPending ? undefined : context.store.read(path, caps)
  if (committed !== undefined) return { stored: committed, pending: false }
  const stored = readPending({ store: context.store, path, caps })
  if (stored === undefined) throw usageError(`There is no pending recording of ${path}`, 'See turntape accept --list.')
  return { stored, pending: true }
}
